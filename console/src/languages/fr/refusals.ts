/** French refusals. */
import { refusalsIn } from '../refusals.ts';
import { words } from './records.ts';

const DATE = /\d{4}-\d\d-\d\d/g;
const administrator = 'Demandez à un administrateur.';
const nothingSaved = 'Rien n’a été enregistré.';
const mismatch =
  'La page et le service ne se comprennent pas. Rechargez la page ; si cela se répète, prévenez l’exploitant.';
const phone =
  'ce n’est pas un numéro de téléphone. Écrivez-le ainsi : (217) 555-0199, ou avec + et l’indicatif du pays.';

export const { refusalText, sentenceText, refusedFile, targetLabel } = refusalsIn({
  codes: {
    parameter_missing: ({ label }) =>
      label === '' ? 'Il manque une donnée.' : `${label} : champ obligatoire.`,
    parameter_unknown: mismatch,
    parameter_repeated: mismatch,
    parameters_conflict: ({ label, message }) => {
      const [then, first] = message.match(DATE) ?? [];
      return first === undefined
        ? 'Deux des données se contredisent. N’en gardez qu’une.'
        : `${label} : ${then} précède ${first}.`;
    },
    type_invalid: ({ label }) => `${label} : la valeur n’est pas du type attendu.`,
    text_invalid: ({ label }) =>
      `${label} : contient un caractère qui ne peut pas être enregistré.`,
    text_too_long: ({ label, message, numbers: [has, most] }) =>
      most === undefined
        ? `${label} : trop long. Écrivez un texte plus court.`
        : `${label} : ${has} ${message.includes('bytes') ? 'octets' : 'caractères'} ; le maximum est de ${most}.`,
    value_too_large: ({ label, numbers: [has, most] }) =>
      most === undefined
        ? `${label} : trop volumineux.`
        : `${label} : ${has} octets ; le maximum est de ${most}.`,
    phone_number_invalid: ({ label }) => `${label} : ${phone}`,
    datetime_invalid: ({ label }) => `${label} : ce n’est pas une date avec une heure.`,
    datetime_offset_missing: ({ label }) => `${label} : il manque le fuseau horaire.`,
    date_invalid: ({ label, message }) =>
      message.includes('future')
        ? `${label} : cette date est dans le futur, ce qui est impossible ; vérifiez l’année.`
        : message.includes('real')
          ? `${label} : cette date n’existe pas ; vérifiez le mois et le jour.`
          : `${label} : cette date ne convient pas ici.`,
    value_invalid: ({ label, param, message, numbers }) =>
      param === 'email'
        ? 'Le courriel doit être une adresse comme director@example.com.'
        : param === 'role'
          ? message.includes('whole accounts')
            ? 'L’administration porte sur des comptes entiers : ne choisissez pas d’établissements, ou choisissez le rôle de rédaction.'
            : message.includes('password')
              ? 'Cette personne se connecte seulement par mot de passe, et l’administration demande une clé d’accès : qu’elle en crée une sous « Mon compte », ou invitez-la de nouveau pour ce rôle.'
              : 'Choisissez un rôle.'
          : param === 'requests_a_second'
            ? `${label} : écrivez un nombre de requêtes par seconde ou par minute, de 1 par minute à 1000000 par seconde.`
            : param === 'requests_at_once'
              ? `${label} : écrivez un nombre entier de ${numbers[0]} à ${numbers[1]}.`
              : param === 'expires_at'
                ? `${label} : choisissez un jour qui n’est pas passé.`
                : param === 'from'
                  ? `${label} : l’une d’elles n’est ni une adresse ni un réseau. Écrivez par exemple 203.0.113.7 ou 203.0.113.0/24.`
                  : param === 'accounts'
                    ? 'Choisissez parmi les comptes que vous administrez ; une clé vaut pour des comptes réels ou pour des comptes d’essai, pas pour les deux.'
                    : param === 'locations'
                      ? 'Choisissez des établissements de ces comptes, ou tous.'
                      : param === 'time_zone'
                        ? 'Ce fuseau horaire n’existe pas. Écrivez-en un comme America/Montreal.'
                        : label === ''
                          ? 'Une valeur n’est pas acceptée.'
                          : `${label} : cette valeur n’est pas acceptée.`,
    number_out_of_range: ({ label, numbers: [least, most] }) =>
      least === undefined || most === undefined
        ? `${label} : écrivez un nombre entier.`
        : `${label} : écrivez un nombre entier de ${least} à ${most}.`,
    array_length_invalid: ({ label, numbers: [has, least, most] }) =>
      `${label} : il y en a ${has} ; il en faut de ${least} à ${most}.`,
    image_url_invalid: ({ label }) =>
      `${label} : écrivez l’adresse complète, avec https://, d’une image JPG.`,
    image_unavailable:
      'L’image ne peut pas être affichée : son adresse ne répond pas par une image JPG. Corrigez l’adresse, ou réessayez.',
    nesting_too_deep: 'Le contenu a trop de niveaux imbriqués.',
    json_invalid: mismatch,
    form_invalid: mismatch,
    csv_invalid:
      'Le tableau est mal formé : chaque ligne doit avoir autant de cellules que l’en-tête.',
    encoding_invalid: 'Le fichier n’est pas en UTF-8.',
    header_invalid: mismatch,
    body_unexpected: mismatch,
    request_malformed: 'La connexion s’est terminée avant que tout soit arrivé. Réessayez.',
    permission_denied: ({ message }) =>
      message.includes('email')
        ? 'Seul l’exploitant du service peut inviter cette personne. Demandez-le-lui.'
        : message.includes('yourself')
          ? 'Vous ne pouvez pas changer vos propres droits. Demandez à un autre administrateur.'
          : message.includes('locations')
            ? `Vous n’avez accès qu’à certains établissements, et ceci porte sur des comptes entiers. ${administrator}`
            : `Votre rôle ne le permet pas. ${administrator}`,
    location_not_permitted: `Vous n’avez pas accès à cet établissement. ${administrator}`,
    path_unknown: 'Il n’y a rien à cette adresse.',
    resource_missing: 'Cela n’existe pas, ou vous ne pouvez pas le voir.',
    version_missing: 'Cette version n’est plus conservée.',
    removal_missing: 'Déjà rétabli, plus conservé, ou hors de votre accès.',
    position_unknown: 'Cette position n’est pas de cette liste de changements.',
    changes_expired: 'Les changements de cette époque ne sont plus conservés.',
    changes_rewound: 'Le service a été rétabli dans un état antérieur. Rechargez la page.',
    change_damaged: 'Un changement est endommagé. Prévenez l’exploitant.',
    webhook_url_refused:
      'Aucun webhook ne peut être envoyé à cette adresse. Écrivez une adresse https publique, sans nom d’utilisateur ni mot de passe.',
    webhooks_unavailable: 'Ce service n’a pas de webhooks. Demandez à l’exploitant.',
    webhook_endpoints_too_many:
      'Le compte a déjà 20 destinations, ce qui est le maximum. Supprimez-en une.',
    method_not_allowed: mismatch,
    record_exists: 'La fiche existe déjà. Rien n’a été modifié.',
    record_present: 'La fiche existe déjà. Rien n’a été modifié.',
    record_has_children: 'D’autres fiches appartiennent à celle-ci. Supprimez-les d’abord.',
    record_held:
      'Une mesure de conservation protège cette fiche : tant qu’elle dure, rien n’est supprimé.',
    holds_too_many: 'Le compte a déjà 1 000 mesures de conservation : levez-en.',
    children_too_many:
      'Plus de fiches appartiennent à celle-ci qu’on ne peut en supprimer à la fois. Supprimez-en d’abord une partie.',
    pin_missing: 'Ce n’est plus corrigé par le personnel : rechargez la page.',
    pins_too_many:
      'Le personnel a déjà corrigé trop de données de cette fiche : laissez le système décider pour certaines.',
    store_set_back:
      'Les données viennent d’une copie antérieure : ce qui avait été effacé est d’abord effacé de nouveau. Réessayez plus tard.',
    sync_ended: 'Cette synchronisation est terminée, ou elle date de plus de 30 jours.',
    sync_mismatch:
      'La synchronisation est d’un autre système, d’un autre type de fiche ou d’un autre lieu.',
    sync_removes_too_much:
      'Plus de fiches seraient supprimées que ce qui est permis. Rien n’a été supprimé.',
    proposal_decided:
      'C’est déjà décidé, ou le système a envoyé une autre valeur : rechargez la page.',
    record_erased:
      'Cette fiche a été effacée à la demande d’une personne : supprimez-la aussi de votre système.',
    past_retention:
      'Cette fiche a dépassé sa durée de conservation : supprimez-la aussi de votre système.',
    matches_too_many: 'Trop de fiches correspondent : précisez davantage.',
    erasure_closed: 'Cet effacement est clos : commencez-en un autre.',
    erasure_running: 'L’effacement est en cours : attendez qu’il se termine.',
    erasures_too_many:
      'Vous avez déjà 100 effacements ouverts dans ce compte : terminez-en ou fermez-en.',
    erasures_exhausted:
      'Vous avez déjà commencé 10 000 effacements ces 24 derniers mois : nommez plusieurs personnes dans un seul, ou demandez à quelqu’un d’autre de le commencer.',
    erasure_keyless: 'Rien ne peut être effacé sans SECRET_KEY_FILE : prévenez l’opérateur.',
    preview_missing: 'Il manque un aperçu du dernier jour : demandez-le et regardez-le d’abord.',
    retention_rules_too_many: 'Le compte a déjà 100 règles : supprimez-en.',
    record_changed: 'La fiche a changé depuis que vous l’avez ouverte. Ouvrez-la de nouveau.',
    batch_refused: ({ numbers: [refused, all] }) =>
      refused === undefined || all === undefined
        ? nothingSaved
        : `${refused} lignes sur ${all} ont été refusées. ${nothingSaved}`,
    body_too_large: 'L’envoi est trop volumineux.',
    rows_too_many: 'Il y a trop de lignes.',
    stream_refused: '1 000 lignes de suite ont été refusées, et l’importation s’est arrêtée.',
    media_type_unsupported: mismatch,
    headers_too_large: mismatch,
    request_timeout: `Tout n’est pas arrivé à temps. ${nothingSaved} Réessayez ; si cela se répète, vérifiez votre connexion.`,
    rate_limited: ({ message }) =>
      message.includes('export')
        ? 'Le nombre d’exportations en cours est déjà au maximum. Attendez que l’une se termine.'
        : message.includes('files')
          ? 'Plusieurs fichiers de votre compte attendent déjà. Réessayez quand l’un est terminé.'
          : 'Trop de requêtes à la fois. Attendez un moment, puis réessayez.',
    memory_limited: `Trop de grandes requêtes à la fois. ${nothingSaved} Réessayez dans un moment.`,
    service_unavailable: ({ message }) =>
      message.includes('cannot tell')
        ? 'Le service ne sait pas pour l’instant si c’est enregistré. Envoyez de nouveau : cela ne se fait qu’une fois.'
        : message.includes('signing in')
          ? 'Trop de personnes se connectent en ce moment. Réessayez dans quelques secondes.'
          : message.includes('not done after')
            ? 'L’exportation a pris trop de temps. Exportez moins de fiches, ou demandez à l’exploitant « ledgerstone export ».'
            : `Le service n’est pas disponible en ce moment. ${nothingSaved} Réessayez.`,
    internal_error:
      'Une erreur s’est produite dans le service. Réessayez ; si cela se répète, donnez à l’exploitant l’identifiant de la requête.',
    sign_in_needed: 'Vous n’êtes pas connecté, ou votre session est terminée. Connectez-vous.',
    sign_in_failed:
      'Cela ne correspond pas. Vérifiez votre saisie, ou demandez une nouvelle invitation à un administrateur.',
    sign_in_limited:
      'Trop d’essais infructueux. Attendez avant de réessayer, ou utilisez une clé d’accès.',
    reauthentication_needed:
      'Confirmez que c’est bien vous : il faut s’être connecté dans les 10 dernières minutes.',
    invitation_invalid:
      'Cette invitation a déjà servi, a été remplacée ou a expiré. Demandez-en une nouvelle.',
    password_refused: ({ message, numbers: [most, has] }) =>
      message.includes('guessed')
        ? 'Ce mot de passe serait parmi les premiers devinés. Choisissez-en un autre, par exemple quatre ou cinq mots sans rapport.'
        : has === undefined
          ? most === undefined
            ? 'Ce mot de passe ne peut pas être utilisé.'
            : `Un mot de passe peut avoir au plus ${most} caractères.`
          : `Un mot de passe doit avoir au moins ${most} caractères, et celui-ci en a ${has}. Quatre ou cinq mots sans rapport en font un bon.`,
    passkey_needed:
      'Connectez-vous ici avec une clé d’accès ou la connexion unique, pas avec un mot de passe.',
    passkey_refused: 'La clé d’accès n’a pas pu être vérifiée. Recommencez.',
    last_way_in: 'C’est votre seul moyen de vous connecter. Ajoutez d’abord une autre clé d’accès.',
    sign_in_insecure: 'On se connecte seulement par HTTPS, ou sur cette machine même, à localhost.',
    single_sign_on_failed:
      'Le fournisseur de connexion unique ne répond pas. Réessayez, ou connectez-vous autrement.',
    cross_site_refused: 'Cette requête ne vient pas de la console.',
  },
  sentences: [
    [/^(.+) is not a phone number: write it with.*$/, `$1 : ${phone}`],
    [
      /^(.+) is not a date and time: write it such as.*$/,
      '$1 : ce n’est pas une date avec une heure ; écrivez-la ainsi : 2027-03-20 14:30.',
    ],
    [
      /^(.+) is not a time whose time zone is known: .*$/,
      '$1 : son fuseau horaire est inconnu ; écrivez la date et l’heure ainsi : 2027-03-20 14:30.',
    ],
    [
      /^(.+) is not a date: write it such as.*$/,
      '$1 : ce n’est pas une date ; écrivez-la ainsi : 2027-03-20.',
    ],
    [
      /^(.+) is in the future, and it cannot be.*$/,
      '$1 : cette date est dans le futur ; vérifiez l’année.',
    ],
    [
      /^(.+) is not a real calendar date.*$/,
      '$1 : cette date n’existe pas ; vérifiez le mois et le jour.',
    ],
    [
      /^(.+) is empty, and every row needs it\.$/,
      '$1 : la cellule est vide, et chaque ligne en a besoin.',
    ],
    [
      /^(.+): nothing in the row says which one it belongs to\.$/,
      'Rien dans la ligne ne dit à quelle fiche elle appartient ($1).',
    ],
    [
      /^(.+): there is no .+ with this name or identifier\.$/,
      '$1 : aucun établissement n’a ce nom ni cet identifiant.',
    ],
    [
      /^(.+) is the name of several locations.*$/,
      '$1 : plusieurs établissements portent ce nom ; choisissez-en un ou écrivez son identifiant.',
    ],
    [/^(.+): there is no .+ with this identifier\.$/, '$1 : aucune fiche n’a cet identifiant.'],
    [
      /^(.+) has (\d+) characters; send at most (\d+)\.$/,
      '$1 : $2 caractères ; le maximum est de $3.',
    ],
    [/^(.+) must be yes or no.*$/, '$1 : écrivez yes ou no, true ou false, 1 ou 0.'],
    [/^(.+) must be a whole number.*$/, '$1 : écrivez un nombre entier.'],
    [/^(.+) must be (\w+), in exactly these letters\.$/, '$1 : écrivez exactement $2.'],
    [/^(.+) is the error (\S+) of a formula\.$/, '$1 : c’est l’erreur $2 d’une formule.'],
    [
      /^(.+) is a date as spreadsheet programs count it.*$/,
      '$1 : la date est enregistrée comme un nombre ; donnez à la colonne le format de date.',
    ],
    [
      /^(.+) holds a time of day, and its field takes a date\.$/,
      '$1 : contient une heure, et le champ est une date sans heure.',
    ],
    [/^(.+) holds a date, and its field needs a time of day too\.$/, '$1 : il manque l’heure.'],
    [
      /^(.+) holds a time of day that cannot be read.*$/,
      '$1 : l’heure est illisible ; écrivez-la ainsi : 14:30.',
    ],
    [
      /^(.+) has no offset from UTC.*$/,
      '$1 : son fuseau horaire est inconnu ; choisissez-en un sous « Fuseau horaire des heures ».',
    ],
    [
      /^(.+) is a time that (\S+) has twice or not at all.*$/,
      '$1 : au changement d’heure, $2 a cette heure deux fois ou pas du tout ; écrivez-la avec son décalage, par exemple -05:00.',
    ],
    [
      /^(.+) has (?:no|a) year of (?:fewer than )?four digits.*$/,
      '$1 : écrivez l’année avec quatre chiffres.',
    ],
    [
      /^(.+) is a date of which the order is not known.*$/,
      '$1 : on ne sait pas si le mois ou le jour vient d’abord ; choisissez sous « Dates comme 03/04/2026 ».',
    ],
    [
      /^The row has (\d+) cells, and the header (\d+)\.$/,
      'La ligne a $1 cellules, et l’en-tête en a $2.',
    ],
    [/^(.+) is empty\.$/, '$1 est vide.'],
    [
      /^(.+) has no header: a row must name the columns\.$/,
      '$1 n’a pas d’en-tête : une ligne doit nommer les colonnes.',
    ],
    [/^(.+) has no sheet\.$/, '$1 n’a aucune feuille.'],
    [/^(.+) has no sheet (".+")\. It has (.+)\.$/, '$1 n’a pas de feuille $2. Il a $3.'],
    [/^(.+) cannot be read as XLSX: .*$/, '$1 ne peut pas être lu comme classeur Excel.'],
    [
      /^(.+) has no column for (.+), which every row needs: .*$/,
      '$1 n’a pas de colonne pour $2, dont chaque ligne a besoin : choisissez une colonne.',
    ],
    [
      /^The value of (.+) for all rows names (\d+) columns, .* at most (\d+)\.$/,
      'La valeur de $1 pour toutes les lignes nomme $2 colonnes, et peut en nommer $3 au plus.',
    ],
    [
      /^(.+) has no column that says to which .+ each row belongs: .*$/,
      '$1 n’a pas de colonne qui dise à quoi chaque ligne appartient : choisissez-en une, ou choisissez sous « Toutes les lignes appartiennent à ».',
    ],
    [
      /^(.+) has a column for (.+), and .* gives it as well.*$/,
      '$1 a une colonne pour $2, choisi aussi pour toutes les lignes : laissez l’un des deux de côté.',
    ],
    [
      /^The columns (".+") and (".+") are both for (.+): .*$/,
      'Les colonnes $1 et $2 sont toutes deux pour $3 : laissez-en une de côté.',
    ],
    [
      /^(.+) has dates such as 03\/04\/2026 \(row (\d+)\).*$/,
      '$1 a des dates comme 03/04/2026 (ligne $2), et rien ne montre si le mois ou le jour vient d’abord : choisissez sous « Dates comme 03/04/2026 ».',
    ],
    [
      /^(.+) writes the month first in row (\d+) and the day first in row (\d+).*$/,
      '$1 écrit le mois d’abord à la ligne $2 et le jour d’abord à la ligne $3 : choisissez sous « Dates comme 03/04/2026 ».',
    ],
    [
      /^(.+) has times without an offset from UTC \(row (\d+)\).*$/,
      '$1 a des heures sans fuseau (ligne $2) : choisissez sous « Fuseau horaire des heures ».',
    ],
    [
      /^The log of changes no longer goes back to the start of this import.*$/,
      'Les changements de cette époque ne sont plus conservés : cette importation ne peut plus être annulée.',
    ],
    [/^backups, copies.*$/, 'les sauvegardes, copies et instantanés d’avant'],
    [
      /^exports, imported.*$/,
      'les exports, les fichiers importés, les listes imprimées, et ce que d’autres systèmes et personnes ont copié',
    ],
    [
      /^a restore of an older backup.*$/,
      'une restauration d’une sauvegarde antérieure, qui fait revenir les fiches : le journal des effacements n’est que dans la base de données',
    ],
    [/^logs of proxies.*$/, 'les journaux des proxys, qui contiennent des adresses de requêtes'],
    [
      /^images of mail.*$/,
      'les images des cartes-réponses, qui sont sur les serveurs de leurs expéditeurs',
    ],
    [/^core dumps.*$/, 'les vidages de mémoire et la mémoire du service sur disque'],
    [
      /^unused parts.*$/,
      'les parties inutilisées du fichier SQLite, jusqu’à ce qu’il soit réécrit',
    ],
    [
      /^dead rows.*$/,
      'les lignes mortes et statistiques de PostgreSQL, jusqu’à ce qu’il les nettoie et réutilise la place',
    ],
    [/^the write-ahead.*$/, 'le journal d’écriture de PostgreSQL et ses archives'],
    [/^standbys.*$/, 'les réplicas de PostgreSQL, jusqu’à ce qu’ils soient à jour'],
    [
      /^the log of the PostgreSQL.*$/,
      'le journal du serveur PostgreSQL, qui peut contenir des valeurs',
    ],
    [/^the sheet (.+)$/, 'la feuille $1'],
    [/^header in row (\d+)$/, 'en-tête à la ligne $1'],
    [/^commas$/, 'virgules'],
    [/^semicolons$/, 'points-virgules'],
    [/^tabs$/, 'tabulations'],
    [/^vertical bars$/, 'barres verticales'],
  ],
  targets: {
    identifier: 'identifiant',
    inCents: '(en cents)',
    ownIdentifier: 'identifiant Ledgerstone',
  },
  labels: words.labels,
});
