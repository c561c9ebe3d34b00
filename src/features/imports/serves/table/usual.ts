/** Usual headings of fields that several resources have, and how people shorten words in headings. */

/** By the label of a field, its usual headings. */
export const USUAL: Readonly<Record<string, readonly string[]>> = {
  Phone: [
    ...['phone', 'phone number', 'telephone', 'telephone number', 'cell', 'cell phone', 'mobile'],
    ...['mobile phone', 'home phone', 'primary phone', 'phone 1', 'contact number'],
    ...['teléfono', 'número de teléfono', 'celular', 'móvil', 'teléfono móvil'],
    ...['téléphone', 'numéro de téléphone', 'portable', 'téléphone portable'],
  ],
  Email: [
    ...['email', 'email address', 'mail', 'e-mail address'],
    ...['correo', 'correo electrónico', 'dirección de correo'],
    ...['courriel', 'adresse e-mail', 'adresse électronique', 'adresse courriel'],
  ],
  Relationship: [
    ...['relation', 'relationship to deceased', 'relation to deceased', 'related as'],
    ...['parentesco', 'relación', 'relación con el difunto', 'parentesco con el difunto'],
    ...['lien', 'lien de parenté', 'parenté', 'lien avec le défunt'],
  ],
  'Pre-planning': [
    ...['pre-planning', 'pre-need', 'interest in pre-planning', 'interested in pre-planning'],
    ...['planificación previa', 'previsión', 'interés en planificación previa'],
    ...['prévoyance', 'intérêt pour la prévoyance', 'obsèques à l’avance'],
  ],
};

/** Words with which people shorten others in headings, folded. */
export const SHORT: Readonly<Record<string, string>> = {
  ...{ svc: 'service', serv: 'service', srvc: 'service', nok: 'next kin', decd: 'deceased' },
  ...{ no: 'number', num: 'number', nbr: 'number', nr: 'number', nro: 'number', numero: 'number' },
  ...{ dt: 'date', tm: 'time', ph: 'phone', tel: 'phone', tele: 'phone', addr: 'address' },
  ...{ rel: 'relation', dec: 'deceased', loc: 'location', nm: 'name', fam: 'family' },
};
