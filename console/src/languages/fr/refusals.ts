/** French refusals. */
import { refusalsIn } from '../refusals.ts';
import { words } from './records.ts';

const mismatch =
  'La page et le service ne se comprennent pas. Rechargez la page ; si cela se répète, prévenez l’exploitant.';

export const { codes, refusalText, targetLabel } = refusalsIn({
  codes: {
    parameter_unknown: mismatch,
    parameter_repeated: mismatch,
    type_invalid: '{param} : la valeur n’est pas du type attendu.',
    text_invalid: '{param} : contient un caractère qui ne peut pas être enregistré.',
    phone_number_invalid:
      '{param} : ce n’est pas un numéro de téléphone. Écrivez-le ainsi : (217) 555-0199, ou avec + et l’indicatif du pays.',
    datetime_invalid: '{param} : ce n’est pas une date avec une heure.',
    datetime_offset_missing: '{param} : il manque le fuseau horaire.',
    image_url_invalid: '{param} : écrivez l’adresse complète, avec https://, d’une image JPG.',
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
    location_not_permitted:
      'Vous n’avez pas accès à cet établissement. Demandez à un administrateur.',
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
    body_too_large: 'L’envoi est trop volumineux.',
    rows_too_many: 'Il y a trop de lignes.',
    stream_refused: '1 000 lignes de suite ont été refusées, et l’importation s’est arrêtée.',
    media_type_unsupported: mismatch,
    headers_too_large: mismatch,
    request_timeout:
      'Tout n’est pas arrivé à temps. Rien n’a été enregistré. Réessayez ; si cela se répète, vérifiez votre connexion.',
    memory_limited:
      'Trop de grandes requêtes à la fois. Rien n’a été enregistré. Réessayez dans un moment.',
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
    passkey_needed:
      'Connectez-vous ici avec une clé d’accès ou la connexion unique, pas avec un mot de passe.',
    passkey_refused: 'La clé d’accès n’a pas pu être vérifiée. Recommencez.',
    last_way_in: 'C’est votre seul moyen de vous connecter. Ajoutez d’abord une autre clé d’accès.',
    sign_in_insecure: 'On se connecte seulement par HTTPS, ou sur cette machine même, à localhost.',
    single_sign_on_failed:
      'Le fournisseur de connexion unique ne répond pas. Réessayez, ou connectez-vous autrement.',
    cross_site_refused: 'Cette requête ne vient pas de la console.',
    parameter_missing: '{param} : champ obligatoire.',
    parameters_conflict: 'Deux des données se contredisent. N’en gardez qu’une.',
    text_too_long: '{param} : {has} {unit} ; le maximum est de {most}.',
    value_too_large: '{param} : {has} octets ; le maximum est de {most}.',
    date_invalid: '{param} : cette date ne convient pas ici.',
    value_invalid: '{param} : cette valeur n’est pas acceptée.',
    number_out_of_range: '{param} : écrivez un nombre de {least} à {most}.',
    array_length_invalid: '{param} : il y en a {has} ; il en faut de {least} à {most}.',
    permission_denied: 'Votre rôle ne le permet pas. Demandez à un administrateur.',
    batch_refused: '{refused} lignes sur {rows} ont été refusées. Rien n’a été enregistré.',
    rate_limited:
      'Vous pouvez envoyer {most} requêtes par {per}. Attendez {seconds} s, puis réessayez.',
    service_unavailable:
      'Le service n’est pas disponible en ce moment. Rien n’a été enregistré. Réessayez.',
    password_refused:
      'Ce mot de passe serait parmi les premiers devinés. Choisissez-en un autre, par exemple quatre ou cinq mots sans rapport.',
    date_too_early: '{param} : {date} précède {earliest} ({after}).',
    parts_too_many: 'Le contenu a trop de parties. Envoyez-en moins.',
    date_not_real: '{param} : cette date n’existe pas ; vérifiez le mois et le jour.',
    date_in_future:
      '{param} : cette date est dans le futur, ce qui est impossible ; vérifiez l’année.',
    choice_invalid: '{param} : choisissez {choices}.',
    number_not_whole: '{param} : écrivez un nombre entier.',
    time_zone_unknown: 'Ce fuseau horaire n’existe pas. Écrivez-en un comme America/Montreal.',
    whole_account_needed:
      'Vous n’avez accès qu’à {limit}, et ceci porte sur des comptes entiers. Demandez à un administrateur.',
    concurrency_limited:
      'Vous pouvez avoir {most} requêtes à la fois. Attendez un moment, puis réessayez.',
    connections_too_many: '{has} connexions sont déjà ouvertes, ce qui est le maximum. Fermez-en.',
    images_waiting: '{most} images de ce compte attendent déjà. Réessayez dans un moment.',
    audit_limited: 'Trop de requêtes à la fois. Attendez un moment, puis réessayez.',
    outcome_unknown:
      'Le service ne sait pas pour l’instant si c’est enregistré. Envoyez de nouveau : cela ne se fait qu’une fois.',
    password_too_short:
      'Un mot de passe doit avoir au moins {least} caractères, et celui-ci en a {has}. Quatre ou cinq mots sans rapport en font un bon.',
    password_too_long: 'Un mot de passe peut avoir au plus {most} caractères.',
    sign_in_busy: 'Trop de personnes se connectent en ce moment. Réessayez dans quelques secondes.',
    own_rights:
      'Vous ne pouvez pas changer vos propres droits. Demandez à un autre administrateur.',
    email_invalid: 'Le courriel doit être une adresse comme director@example.com.',
    administrator_limited:
      'L’administration porte sur des comptes entiers : ne choisissez pas d’établissements, ou choisissez le rôle de rédaction.',
    administrator_without_passkey:
      'Cette personne se connecte seulement par mot de passe, et l’administration demande une clé d’accès : qu’elle en crée une sous « Mon compte », ou invitez-la de nouveau pour ce rôle.',
    accounts_not_yours: 'Choisissez parmi les comptes que vous administrez.',
    accounts_mixed:
      'Une clé vaut pour des comptes réels ou pour des comptes d’essai, pas pour les deux.',
    locations_elsewhere: 'Choisissez des établissements de ces comptes, ou tous.',
    rate_invalid:
      '{param} : écrivez un nombre de requêtes par seconde ou par minute, de 1 par minute à 1000000 par seconde.',
    network_invalid:
      '{param} : l’une d’elles n’est ni une adresse ni un réseau. Écrivez par exemple 203.0.113.7 ou 203.0.113.0/24.',
    time_past: '{param} : choisissez un jour qui n’est pas passé.',
    files_waiting:
      '{most} fichiers de votre compte attendent déjà. Réessayez quand l’un est terminé.',
    exports_running:
      '{most} exportations sont en cours, ce qui est le maximum. Attendez que l’une se termine.',
    export_too_long:
      'L’exportation n’était pas finie après {minutes} minutes. Exportez moins de fiches, ou demandez à l’exploitant « ledgerstone export ».',
    file_empty: '{file} est vide.',
    header_missing: '{file} n’a pas d’en-tête : une ligne doit nommer les colonnes.',
    sheets_missing: '{file} n’a aucune feuille.',
    sheet_unknown: '{file} n’a pas de feuille {sheet}. Il a {sheets}.',
    workbook_unreadable: '{file} ne peut pas être lu comme classeur Excel.',
    column_missing:
      '{file} n’a pas de colonne pour {fields}, dont chaque ligne a besoin : choisissez une colonne.',
    parent_column_missing:
      '{file} n’a pas de colonne qui dise à quoi chaque ligne appartient : choisissez-en une, ou choisissez sous « Toutes les lignes appartiennent à ».',
    column_given_twice:
      '{file} a une colonne pour {field}, choisi aussi pour toutes les lignes : laissez l’un des deux de côté.',
    columns_rival:
      'Les colonnes {first} et {second} sont toutes deux pour {field} : laissez-en une de côté.',
    columns_filled_too_many:
      'La valeur de {field} pour toutes les lignes nomme {has} colonnes, et peut en nommer {most} au plus.',
    date_order_unclear:
      '{file} a des dates comme 03/04/2026 (ligne {row}), et rien ne montre si le mois ou le jour vient d’abord : choisissez sous « Dates comme 03/04/2026 ».',
    date_orders_mixed:
      '{file} écrit le mois d’abord à la ligne {month_first} et le jour d’abord à la ligne {day_first} : choisissez sous « Dates comme 03/04/2026 ».',
    times_without_zone:
      '{file} a des heures sans fuseau (ligne {row}) : choisissez sous « Fuseau horaire des heures ».',
    import_too_old:
      'Les changements de cette époque ne sont plus conservés : cette importation ne peut plus être annulée.',
    cells_wrong: 'La ligne a {has} cellules, et l’en-tête en a {header}.',
    row_unplaced: 'Rien dans la ligne ne dit à quelle fiche elle appartient ({param}).',
    place_unknown: '{param} : aucun établissement n’a ce nom ni cet identifiant.',
    cell_empty: '{param} : la cellule est vide, et chaque ligne en a besoin.',
    date_unreadable: '{param} : ce n’est pas une date ; écrivez-la ainsi : 2027-03-20.',
    moment_unreadable:
      '{param} : ce n’est pas une date avec une heure ; écrivez-la ainsi : 2027-03-20 14:30.',
    moment_zone_unknown:
      '{param} : son fuseau horaire est inconnu ; écrivez la date et l’heure ainsi : 2027-03-20 14:30.',
    year_missing: '{param} : écrivez l’année avec quatre chiffres.',
    year_short: '{param} : écrivez l’année avec quatre chiffres.',
    date_order_missing:
      '{param} : on ne sait pas si le mois ou le jour vient d’abord ; choisissez sous « Dates comme 03/04/2026 ».',
    phone_unreadable:
      '{param} : ce n’est pas un numéro de téléphone. Écrivez-le ainsi : (217) 555-0199, ou avec + et l’indicatif du pays.',
    digits_lost:
      '{param} : un tableur l’a raccourci ; donnez à la colonne le format texte, et saisissez-le de nouveau.',
    place_ambiguous:
      '{param} : plusieurs établissements portent ce nom ; choisissez-en un ou écrivez son identifiant.',
    identifier_unknown: '{param} : aucune fiche n’a cet identifiant.',
    yes_or_no: '{param} : écrivez yes ou no, true ou false, 1 ou 0.',
    formula_error: '{param} : c’est l’erreur {error} d’une formule.',
    date_as_number:
      '{param} : la date est enregistrée comme un nombre ; donnez à la colonne le format de date.',
    time_unexpected: '{param} : contient une heure, et le champ est une date sans heure.',
    time_missing: '{param} : il manque l’heure.',
    time_unreadable: '{param} : l’heure est illisible ; écrivez-la ainsi : 14:30.',
    zone_missing:
      '{param} : son fuseau horaire est inconnu ; choisissez-en un sous « Fuseau horaire des heures ».',
    time_ambiguous:
      '{param} : au changement d’heure, {zone} a cette heure deux fois ou pas du tout ; écrivez-la avec son décalage, par exemple {example}.',
  },
  terms: {
    characters: 'caractères',
    bytes: 'octets',
    second: 'seconde',
    minute: 'minute',
    locations: 'certains établissements',
    resources: 'certains types de fiche',
  },
  or: ' ou ',
  targets: {
    identifier: 'identifiant',
    inCents: '(en cents)',
    ownIdentifier: 'identifiant Ledgerstone',
  },
  labels: words.labels,
});
