/**
 * Headings that spreadsheets use, in English, Spanish and French. Case, accents, punctuation, abbreviations such as
 * "Svc", "No." and "NOK", and remarks in parentheses do not matter.
 */

/** Names of people. */
export const NAME = [
  ...['full name', 'first and last name'],
  ...['nombre', 'nombre completo', 'nombre y apellidos', 'nombre y apellido', 'persona'],
  ...['nom', 'nom complet', 'nom et prénom', 'prénom et nom', 'personne'],
];

export const BORN = [
  ...['date of birth', 'birth date', 'birthdate', 'birthday', 'dob', 'born', 'born on'],
  ...['fecha de nacimiento', 'fecha nacimiento', 'nacimiento', 'nacido', 'nacida'],
  ...['date de naissance', 'naissance', 'né le', 'née le', 'né(e) le'],
];

export const DIED = [
  ...['date of death', 'death date', 'dod', 'died', 'died on', 'passed', 'date passed'],
  ...['fecha de fallecimiento', 'fecha de defunción', 'fecha de muerte', 'fallecimiento'],
  ...['defunción', 'date de décès', 'date du décès', 'décès', 'décédé le', 'décédée le'],
];

/** Numbers by which homes speak of a family. */
export const CASE = [
  ...['case', 'case number', 'case id', 'service number', 'file number', 'contract number'],
  ...['caso', 'número de caso', 'expediente', 'número de expediente', 'número de servicio'],
  ...['dossier', 'numéro de dossier', 'numéro du dossier', 'numéro de service'],
];

export const PLACES = [
  ...['location', 'location name', 'chapel', 'branch', 'site', 'funeral home', 'place'],
  ...['sucursal', 'capilla', 'funeraria', 'lugar', 'sede', 'tanatorio'],
  ...['établissement', 'chapelle', 'succursale', 'lieu', 'salon funéraire', 'funérarium'],
];

export const STREET = [
  ...['address', 'street address', 'address 1', 'address line 1', 'mailing address'],
  ...['dirección', 'calle', 'domicilio', 'adresse', 'rue', 'adresse postale'],
];
export const CITY = ['city', 'town', 'ciudad', 'localidad', 'ville', 'localité', 'commune'];
export const STATE = ['state', 'province', 'estado', 'provincia', 'état'];
export const POSTAL_CODE = ['zip', 'zip code', 'postcode', 'código postal', 'code postal'];
