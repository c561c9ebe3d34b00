/** The French texts of imports, exports, feeds and webhooks; `page.ts` has the glossary. */
import { locale } from '../../locale.ts';
import type * as exports_ from '../../screens/exports/texts.ts';
import type * as feeds_ from '../../screens/feeds/texts.ts';
import type * as imports_ from '../../screens/imports/texts.ts';
import type * as webhooks_ from '../../screens/webhooks/texts.ts';
import type { Translated } from '../languages.ts';
import { plural } from './page.ts';

const number = (count: number): string => count.toLocaleString(locale);
const counted = (count: number, one: string, many: string): string =>
  `${number(count)} ${count < 2 ? one : many}`;
const records = (count: number): string => counted(count, 'fiche', 'fiches');
const rows = (count: number): string => counted(count, 'ligne', 'lignes');
const size = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000)} ko`
    : `${(bytes / 1_000_000).toLocaleString(locale, { maximumFractionDigits: 1 })} Mo`;

export const exports: Translated<typeof exports_> = {
  says: {
    title: 'Exporter',
    about: 'Téléchargez des fiches en fichiers. Les importer de nouveau ne change rien.',
    what: 'Que faut-il exporter',
    archive: 'Un fichier pour chaque type, dans une archive ZIP, tous au même instant.',
    only: 'Seulement celles qui correspondent',
    format: 'Format du fichier',
    formats: [
      ['xlsx', 'Classeur Excel', 'pour lire et travailler ; chaque cellule est du texte'],
      [
        'spreadsheet_csv',
        'CSV pour tableurs',
        'le texte qui serait exécuté comme formule commence par une apostrophe',
      ],
      [
        'csv',
        'CSV pour programmes',
        'exactement ce qui est enregistré : ne l’ouvrez pas dans un tableur',
      ],
      ['ndjson', 'NDJSON', 'pour programmes : une ligne de JSON par fiche'],
    ],
    submit: 'Exporter',
    starting: 'Démarrage …',
    so_far: (bytes: number) => `${size(bytes)} jusqu’ici`,
    done: (count, bytes, name) =>
      `${count === undefined ? '' : `${records(count)} dans `}${name} (${size(bytes)}).`,
    stays: 'L’exportation continue pendant que vous regardez d’autres écrans.',
    ended:
      'La connexion s’est terminée avant la fin de l’exportation. Rien n’a été enregistré ; réessayez.',
    none: 'Choisissez ce qu’il faut exporter.',
  },
};

export const imports: Translated<typeof imports_> = {
  says: {
    title: 'Importer',
    about:
      'Importez une feuille de calcul : chaque ligne devient une fiche, ou modifie celle qu’elle nomme.',
    what: 'Ce que sont les lignes',
    account: 'Compte',
    file: 'Fichier',
    choose: 'Choisissez un fichier',
    drop: 'ou déposez-en un ici : CSV ou classeur Excel, jusqu’à 32 Mo.',
    another: 'Choisir un autre fichier',
    reading: 'Lecture du fichier …',
    tooLarge: (name, bytes) =>
      `${name} fait ${Math.round(bytes / 1_048_576)} Mo, et la limite est ici de 32 Mo. Divisez-le, ou demandez à l’exploitant « ledgerstone import ».`,
    dead: (name) =>
      `${name} a été modifié ou supprimé après votre choix. Choisissez-le de nouveau.`,
    questions: {
      sheet: 'Quelle feuille voulez-vous importer ?',
      delimiter: 'Qu’est-ce qui sépare les cellules ?',
    },
    delimiters: {
      ',': 'Virgules',
      ';': 'Points-virgules',
      '|': 'Barres verticales',
      '\t': 'Tabulations',
    },
    go: 'Continuer',
    leave: 'L’importation s’arrête si vous fermez cette page.',
    readAs: (read) => `Lu ainsi : ${read}.`,
    sheetNamed: (name) => `la feuille ${name}`,
    headerIn: (row) => `en-tête à la ligne ${row}`,
    columns: 'Colonnes',
    column: 'Colonne du fichier',
    samples: 'Premières lignes',
    field: 'Va dans',
    leaveOut: 'Laisser de côté',
    template: 'Télécharger un modèle',
    templateHint:
      'Un fichier avec toutes les colonnes comprises. Vos propres colonnes conviennent aussi.',
    headerRow: 'Les noms des colonnes sont dans',
    headerRowOf: (position, text) => `Ligne ${position} : ${text}`,
    passedOver: 'Laissée de côté : son nom commence par _',
    unsaid: 'Non comprise : choisissez où elle va, ou laissez-la de côté.',
    joined: 'La date et l’heure sont réunies.',
    needed: (fields) => `Il manque encore à chaque ligne : ${fields}.`,
    belongs: 'Toutes les lignes appartiennent à',
    anyParent: (singular) => `${singular} : par colonne`,
    findParent: (singular) => `${singular} : rechercher par nom`,
    noParent: (text) => `Rien ne s’appelle ${text}.`,
    parentNeeded: (singular) =>
      `${singular} (à choisir plus bas pour toutes les lignes, ou une colonne)`,
    how: 'Comment les valeurs sont écrites',
    dates: 'Dates comme 03/04/2026',
    datesAs: {
      '': 'À déduire du fichier',
      mdy: 'Le mois d’abord : 4 mars',
      dmy: 'Le jour d’abord : 3 avril',
      ymd: 'L’année d’abord',
    },
    forAll: 'La même chose sur chaque ligne',
    addValue: 'Ajouter une valeur',
    chooseField: 'Choisir …',
    braces: (column) =>
      `Une colonne entre accolades représente ce que chaque ligne y contient : {${column}}.`,
    made: (label, column) => `${label} : ${column}`,
    both: (field) => `Deux colonnes sont pour ${field} : laissez-en une de côté.`,
    zone: 'Fuseau horaire des heures',
    ownZone: 'L’horloge de chaque établissement',
    phones: 'Dix chiffres sont un téléphone nord-américain',
    empty: 'Les cellules vides suppriment la valeur enregistrée',
    mode: 'Fiches',
    modes: {
      '': 'Créer et modifier',
      create_only: 'Seulement en créer',
      update_only: 'Seulement modifier les existantes',
    },
    check: 'Vérifier',
    checking: 'Vérification …',
    wouldBe: 'Ce que ferait l’importation',
    done: 'Terminé',
    stopped:
      'Arrêtée. Importez le fichier de nouveau pour continuer : les lignes déjà importées restent telles quelles.',
    created: (count) => counted(count, 'nouvelle', 'nouvelles'),
    updated: (count) => counted(count, 'modifiée', 'modifiées'),
    unchanged: (count) => counted(count, 'inchangée', 'inchangées'),
    failed: (count) => counted(count, 'refusée', 'refusées'),
    refused: 'Lignes refusées',
    refusedOf: (name) => `Lignes refusées de ${name}`,
    line: 'Ligne',
    why: 'Motif',
    more: (count) => `et ${rows(count)} de plus, dans le fichier.`,
    cut: (count) =>
      `${rows(count)} refusées ne sont pas dans le fichier : il y en a trop. Corrigez ce qu’il contient et importez-le, puis vérifiez de nouveau tout votre fichier pour le reste.`,
    places: (what) => `${what} : lequel ou laquelle ?`,
    placeHint: 'Ces noms ne désignent rien, ou plusieurs à la fois.',
    refuse: 'Aucun : refuser ces lignes',
    checkAgain: 'Vérifier de nouveau',
    download: 'Télécharger les lignes refusées',
    downloadHint: 'Corrigez-les dans le fichier téléchargé, puis importez ce fichier.',
    nothing: 'Rien ne changerait.',
    import: (count) => `Importer ${rows(count)}`,
    importing: (done, all) => `${number(done)} lignes sur ${number(all)}`,
    twice: (count, row, earlier) =>
      `${rows(count)} ${count < 2 ? 'nomme' : 'nomment'} la même fiche qu’une ligne précédente (la ligne ${row}, celle de la ligne ${earlier}). La dernière ligne modifie la fiche.`,
    back: 'Changer les colonnes',
    again: 'Importer un autre fichier',
    undo: 'Annuler',
    undoTitle: 'Annuler cette importation ?',
    undoing: 'Annulation …',
    undoWould: (removed, restored) =>
      `Cette annulation ${[
        ...(removed > 0 || restored === 0
          ? [`supprime ${records(removed)} que l’importation a ${removed < 2 ? 'créée' : 'créées'}`]
          : []),
        ...(restored > 0
          ? [`rétablit ${records(restored)} qu’elle a ${restored < 2 ? 'modifiée' : 'modifiées'}`]
          : []),
      ].join(', et ')}.`,
    undoKept: (count) =>
      count < 2
        ? `${number(count)} fiche a été modifiée depuis, et reste telle quelle.`
        : `${number(count)} fiches ont été modifiées depuis, et restent telles quelles.`,
    undone: 'L’importation a été annulée.',
    earlier: 'Importations précédentes',
    when: 'Quand',
    outcome: 'Résultat',
    statuses: {
      running: 'Inachevée',
      finished: 'Terminée',
      undoing: 'Annulation en cours',
      undone: 'Annulée',
    },
  },
};

export const feeds: Translated<typeof feeds_> = {
  says: {
    about: 'Ce que chaque système a envoyé en 24 heures, par établissement.',
    none: 'Aucun système n’a rien envoyé cette semaine',
    noneHint: 'Dès que des fiches arrivent avec une clé, son système s’affiche ici.',
    key: 'Clé',
    noLocation: 'Sans établissement',
    unplaced: 'Établissement inconnu : refus avant sa lecture',
    region: 'Région',
    allRegions: 'Toutes les régions',
    last: 'Dernière fiche',
    hours: '24 heures',
    records: (count) => `${plural(count, 'fiche', 'fiches')} en 24 heures`,
    created: 'Créées',
    updated: 'Modifiées',
    unchanged: 'Inchangées',
    refused: 'Refusées',
    refusals: 'Refus des 24 dernières heures',
    more: 'Seules les 1 000 requêtes les plus récentes sont comptées.',
    code: 'Code',
    field: 'Champ',
    count: 'Fois',
    first: 'Première fois',
    lastly: 'Dernière fois',
    backup: (ago) => `La dernière sauvegarde vérifiée date de : ${ago}.`,
    backupOld: 'Demandez à l’exploitant pourquoi il n’y en a pas de plus récente.',
    noBackup:
      'Aucune sauvegarde n’a encore été vérifiée. Demandez à l’exploitant s’il en existe une.',
    aboutBackups: 'À propos des sauvegardes',
    expected: {
      title: 'Ce qui est attendu',
      about: 'Appris de six semaines, à l’heure de chaque établissement.',
      source: 'Système',
      state: 'État',
      states: {
        new: 'Rien encore',
        on_time: 'À l’heure',
        late: 'En retard',
        silent: 'Muet',
        back: 'De retour',
        failing: 'Tout est refusé',
      },
      hours: 'Attendu',
      every: (hours, every) =>
        `${hours}, ${every === 'hour' ? 'au moins chaque heure' : 'une fois par jour'}`,
      why: 'Raison',
      learned: (kept, days) => `Reçu ${kept} de ces ${days} jours`,
      statuses: { confirmed: 'Fixé par une personne', off: 'Désactivé' },
      decide: 'Décider',
      confirm: 'Confirmer',
      off: 'Désactiver',
      change: 'Modifier',
      often: 'À quelle fréquence',
      everies: { hour: 'À chacune de ces heures', day: 'Une fois chacun de ces jours' },
      silentAfter: 'Silencieux après',
      silentHint: 'Le nombre de ces heures ou de ces jours sans aucune fiche.',
      closed: 'Jours de fermeture',
      closedHint: 'Par exemple 12-25 pour chaque année, ou 2026-11-27 pour une seule.',
      closedThen: 'Rien',
      hourOf: (day, which) => `${day}, ${which === 'from' ? 'de' : 'à'}`,
      wrongHours: 'Chaque jour doit commencer avant de finir.',
    },
    syncs: {
      title: 'Synchronisations',
      about:
        'Systèmes qui envoient tout ce qu’ils ont. Ce que l’un d’eux n’envoie plus est supprimé.',
      all: 'Tout afficher',
      lastOnly: 'N’afficher que la dernière de chacun',
      system: 'Système',
      what: 'Quoi',
      everywhere: 'Tous les établissements',
      when: 'Début',
      outcome: 'Résultat',
      statuses: {
        open: 'En cours',
        expired: 'Non terminée',
        finishing: 'Suppression en cours',
        finished: 'Terminée',
        stopped: 'Arrêtée',
        replaced: 'Non terminée',
        undoing: 'Restauration en cours',
        undone: 'Annulée',
      },
      nothingRemoved: 'Rien n’a été supprimé.',
      seen: 'Envoyées',
      removed: 'Supprimées',
      left: 'Restées',
      details: 'Détails',
      removedWere: (amounts) => `Supprimées. ${amounts}`,
      leftWere: (count) =>
        plural(
          count,
          'fiche n’a pas été envoyée et reste',
          'fiches n’ont pas été envoyées et restent',
        ),
      reasons: {
        changed_by_other: 'Un autre système ou une personne l’a modifiée en dernier.',
        children_of_other: 'Elle contient des fiches d’autres systèmes ou personnes.',
        changed_since: 'Elle a changé après le début de la synchronisation.',
        children_too_many: 'Elle contient trop de fiches pour une seule suppression.',
        pinned: 'L’équipe l’a corrigée.',
        held: 'Une mesure de conservation la protège.',
        refused: 'Elle ne peut pas être supprimée maintenant.',
      },
      more: (count) => `et ${number(count)} de plus`,
      undo: 'Rétablir ce qui a été supprimé',
      undoing: 'Rétablissement …',
      undone: (count) => `${plural(count, 'fiche rétablie', 'fiches rétablies')}.`,
    },
    selfTests: {
      title: 'Autotests des programmes de partenaires',
      about: 'À propos des autotests',
      passed: (passed, all) =>
        `${plural(passed, 'vérification réussie', 'vérifications réussies')} sur ${all}`,
      statuses: { open: 'Ouvert', passed: 'Réussi', ended: 'Terminé' },
      checks: { passed: 'Réussie', failed: 'Échouée', missing: 'Pas encore vue' },
    },
  },
};

export const webhooks: Translated<typeof webhooks_> = {
  says: {
    title: 'Webhooks',
    about: 'Systèmes avertis quand des fiches changent.',
    none: 'Pas encore de destination',
    noneHint: 'Ajoutez l’adresse d’un système : il sera averti quand des fiches changent.',
    add: 'Ajouter une destination',
    change: 'Réglages',
    account: 'Compte',
    urlHint: 'Une adresse https. Elle reçoit ce que les familles ont dit : vérifiez-la deux fois.',
    description: 'Nom',
    descriptionPlaceholder: 'Par exemple « Gestion des dossiers »',
    of: 'Avertir des changements de',
    ofAll: 'Toutes les fiches',
    ofSome: 'Seulement',
    ofCustom: (names) => `Comme maintenant : ${names}`,
    sends: 'Ce qui est envoyé',
    sendsWays: {
      thin: 'Chaque changement',
      full: 'Chaque changement, avec la fiche entière',
    },
    changed: 'Les réglages sont enregistrés.',
    enableSure: 'Activer cette destination ?',
    enableHint:
      'La clé avec laquelle elle a été créée n’est plus valable. Désormais, elle reçoit tout le compte, sans les limites de cette clé.',
    resendFailed: 'Renvoyer ces envois',
    resentSome: (count) =>
      count === 1
        ? '1 notification est renvoyée.'
        : `${count.toLocaleString(locale)} notifications sont renvoyées.`,
    url: 'Adresse',
    what: 'Averti de',
    status: 'État',
    statuses: {
      enabled: 'Active',
      paused: 'En pause',
      failing: 'En échec',
      disabled: 'Désactivée',
    },
    reasons: {
      key_ended: 'Sa clé n’est plus valable.',
      gone: 'Le destinataire a répondu qu’il n’existe plus.',
      failing_too_long: 'Rien n’est arrivé pendant cinq jours.',
      changes_expired: 'Les modifications qui restaient à lui envoyer ne sont plus conservées.',
      changes_rewound: 'Les fiches ont été ramenées à un état antérieur.',
      restored: 'Les fiches ont été restaurées depuis une sauvegarde.',
    },
    failing: (time) => `En échec depuis : ${time}`,
    everything: 'tout',
    back: 'Toutes les destinations',
    pause: 'Mettre en pause',
    enable: 'Activer',
    test: 'Envoyer un essai',
    delivered: (ms) => `L’essai est arrivé, en ${ms} ms.`,
    notDelivered: (why) => `L’essai n’est pas arrivé : ${why}`,
    rotate: 'Nouveau secret',
    rotateSure: 'Créer un nouveau secret ?',
    rotateHint:
      'Pendant un jour, les notifications sont signées avec les deux secrets, pour que le destinataire puisse changer.',
    secret: 'Le secret de la destination',
    secretHint: 'Donnez-le maintenant au destinataire : il ne sera plus affiché.',
    replay: 'Envoyer de nouveau …',
    replaySure: 'Envoyer de nouveau tout depuis',
    replayHint:
      'Le destinataire reçoit encore chaque changement, dans l’ordre, avec le même identifiant qu’avant.',
    replayed: 'L’envoi reprend.',
    remove: 'Supprimer',
    removeSure: 'Supprimer cette destination ?',
    removeHint: 'Plus rien ne lui est envoyé, et ses envois sont oubliés.',
    removed: 'La destination a été supprimée.',
    deliveries: 'Envois',
    noDeliveries: 'Rien n’a encore été envoyé',
    all: 'Tous',
    filter: 'Afficher',
    outcomes: { pending: 'En attente', delivered: 'Livré', failed: 'Échoué' },
    type: 'Notification envoyée',
    record: 'Fiche',
    when: 'Quand',
    why: 'Réponse',
    tries: (count) => plural(count, 'tentative', 'tentatives'),
    next: 'Prochaine tentative :',
    resend: 'Envoyer de nouveau',
    resent: 'L’envoi reprend.',
    more: 'Les envois plus anciens sont conservés 30 jours et se lisent par l’API.',
  },
};
