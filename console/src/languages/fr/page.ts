/**
 * French of funeral homes in Québec and in France; people are addressed as «vous».
 *
 * account: compte · API key: clé d’API · arrangement: arrangement funéraire · deceased: défunt, défunte ·
 * endpoint: destination · feed: système · location: établissement · mail reply: carte-réponse ·
 * next of kin: proche · operator: exploitant · passkey: clé d’accès · pre-planning: prévoyance ·
 * record: fiche · refused: refusé · remove: supprimer · request: requête · restore: rétablir ·
 * service: cérémonie · staff: équipe · visitor: visiteur
 */
import { locale } from '../../locale.ts';
import type { texts as english } from '../../texts.ts';
import type { Translated } from '../languages.ts';

/** In French, nothing and one are singular. */
export const plural = (count: number, one: string, many: string): string =>
  `${count} ${count < 2 ? one : many}`;

/** « de cérémonies », « d’arrangements ». */
const of = (what: string): string => (/^[aeiouyéèêàâ]/i.test(what) ? `d’${what}` : `de ${what}`);

export const texts: Translated<typeof english> = {
  product: 'Ledgerstone',
  skip: 'Aller au contenu',
  menu: 'Menu',
  language: 'Langue',
  testData: 'Données d’essai. Aucune famille réelle ici.',
  bothData: 'Vous voyez des données d’essai et des données réelles.',
  loading: 'Chargement …',
  close: 'Fermer',
  done: 'Terminé',
  cancel: 'Annuler',
  save: 'Enregistrer',
  saving: 'Enregistrement …',
  saved: 'Enregistré.',
  back: 'Retour',
  undo: 'Annuler',
  discard: {
    sure: 'Abandonner votre saisie ?',
    keep: 'Continuer la saisie',
    submit: 'Abandonner',
  },
  copy: 'Copier',
  copied: 'Copié',
  none: 'Aucun',
  yes: 'Oui',
  no: 'Non',
  unknown: 'Inconnu',
  never: 'jamais',
  status: 'État',
  who: {
    unnamed: { person: 'un collègue', key: 'une clé sans nom' },
    former: { person: 'un ancien collègue', key: 'une clé supprimée' },
    import: 'une importation',
    importOf: (file) => `l’importation de ${file}`,
    sync: 'une synchronisation',
    syncOf: (source) => `une synchronisation de ${source}`,
    operator: 'l’exploitant',
  },
  locations: (count) => plural(count, 'établissement', 'établissements'),
  required: 'obligatoire',
  allLocations: 'Partout',
  location: 'Établissement',
  find: 'Rechercher',
  timesIn: (zone) => `Fuseau horaire : ${zone}.`,
  times: {
    zone: (city) => `heure de ${city}`,
    on: (day) => `le ${day}`,
    at: (day, clock) => `${day} à ${clock}`,
    ofHomes: 'Chaque heure est celle de son établissement.',
    unset: (accounts) => `${accounts} n’a pas de fuseau horaire : les heures sont en UTC.`,
    use: (zone) => `Prendre l’${zone}`,
    choose: 'Fuseau horaire',
    later: 'Plus tard',
    ask: 'Un administrateur peut le définir.',
  },

  nav: {
    label: 'Écrans',
    today: 'Aujourd’hui',
    find: 'Rechercher',
    import: 'Importer',
    export: 'Exporter',
    webhooks: 'Webhooks',
    records: 'Fiches',
    proposals: 'Propositions',
    removed: 'Supprimées',
    more: 'Plus',
    integration: 'Intégration',
    people: 'Personnes',
    account: 'Mon compte',
    settingsOf: (account) => `Fuseau horaire de ${account}`,
    feeds: 'Systèmes',
    requests: 'Requêtes',
    keys: 'Clés d’API',
    staff: 'Équipe',
    privacy: 'Confidentialité',
    holds: 'Conservation',
    retention: 'Durées',
    audit: 'Journal d’accès',
    theme: 'Apparence',
    themes: { system: 'Comme le système', light: 'Claire', dark: 'Sombre' },
    signOut: 'Se déconnecter',
    shortcuts: 'Raccourcis clavier',
    manual: 'Manuel (en anglais)',
  },

  failure: {
    title: 'Le chargement a échoué.',
    again: 'Réessayer',
    againIn: (seconds) => `Nouvel essai dans ${seconds} s`,
    request: 'Requête',
    copyRequest: 'Copier l’identifiant de la requête',
    unreachable:
      'Le service est injoignable. Vérifiez la connexion ; rien de votre saisie n’est perdu.',
    unexpected:
      'Une erreur s’est produite sur cette page. Rechargez-la ; si cela ne suffit pas, prévenez l’exploitant.',
    forbidden:
      'Vous n’avez pas accès à cet écran. S’il vous le faut, demandez à un administrateur ou à l’exploitant.',
    missing: 'Il n’y a rien à cette adresse.',
    missingHint: 'Le lien est peut-être ancien, ou la fiche appartient à un autre établissement.',
  },

  signIn: {
    title: 'Connexion',
    lead: 'les fiches de votre groupe',
    again:
      'Votre session est terminée. Reconnectez-vous pour continuer ; votre saisie est toujours là.',
    confirm:
      'Confirmez que c’est bien vous. Il faut s’être connecté dans les dix dernières minutes.',
    passkey: 'Se connecter avec une clé d’accès',
    or: 'ou',
    email: 'Courriel',
    password: 'Mot de passe',
    submit: 'Se connecter',
    confirmSubmit: 'Confirmer',
    sso: (name) => `Continuer avec ${name}`,
    waitFor: (seconds) => `Réessayez dans ${seconds} s.`,
    lost: 'Clé d’accès ou mot de passe perdus ? Demandez une nouvelle invitation à un administrateur.',
    ssoFailed: 'La connexion unique a échoué. Réessayez, ou connectez-vous autrement.',
    errors: {
      sign_in_failed:
        'Personne n’a été invité sous cette identité. Demandez une invitation à un administrateur.',
      single_sign_on_failed:
        'Le fournisseur de connexion unique ne répond pas. Réessayez, ou connectez-vous autrement.',
      reauthentication_needed:
        'Le fournisseur de connexion unique n’a pas confirmé que vous venez de vous y connecter. Confirmez avec une clé d’accès ou un mot de passe.',
    },
    passkeyFailed: 'La clé d’accès n’a pas été utilisée. Réessayez, ou connectez-vous autrement.',
  },

  today: {
    servicesToday: 'Cérémonies aujourd’hui',
    servicesTomorrow: 'Cérémonies demain',
    replies: 'Nouvelles cartes-réponses',
    arrangements: 'Nouveaux arrangements',
    interested: 'Visiteurs intéressés par la prévoyance',
    visitors: (count) =>
      count === '0' || count === '1' ? `${count} visiteur` : `${count} visiteurs`,
    silent: (count) =>
      count === '1'
        ? '1 système n’envoie rien : voir lequel'
        : `${count} systèmes n’envoient rien : voir lesquels`,
    proposals: (count) => `Propositions à décider : ${count}`,
    print: 'Imprimer',
    nothing: 'Une journée calme',
    nothingHint: 'Aucune cérémonie aujourd’hui ni demain, et rien de nouveau depuis une semaine.',
  },

  search: {
    title: 'Rechercher',
    placeholder: 'Nom, derniers chiffres d’un téléphone, courriel ou identifiant',
    hint: 'Le début d’un nom suffit : « jea tre » trouve Jeanne Tremblay. Pour un téléphone, tapez les quatre derniers chiffres.',
    nothing: (text) => `Rien trouvé pour « ${text} »`,
    nothingHint:
      'Tapez une partie plus courte du nom, ou seulement les quatre derniers chiffres d’un téléphone. Les villes, les rues et les notes ne sont pas recherchées.',
    tooMany:
      'Trop de noms commencent ainsi pour tous les parcourir. Tapez une plus grande partie du nom.',
    nearly: 'Orthographe voisine',
    building:
      'L’index de recherche est en construction : des fiches anciennes peuvent manquer pour l’instant.',
    more: (what) => `Plus ${of(what)}`,
  },

  cards: {
    number: (number, total) => `${number} sur ${total}`,
    zoom: 'Agrandir',
    turn: 'Tourner',
    previous: 'Précédente (k)',
    next: 'Suivante (j)',
    previousImage: 'Image précédente (←)',
    nextImage: 'Image suivante (→)',
    open: 'Ouvrir la fiche',
    unread: 'Illisible',
    save: 'Enregistrer et continuer',
    saved: 'Enregistré.',
    loading: 'Chargement de l’image …',
  },

  list: {
    newer: 'Plus récentes',
    older: 'Plus anciennes',
    previous: 'Précédentes',
    next: 'Suivantes',
    shown: (count, more, total) => {
      const shown = plural(count, 'affichée', 'affichées');
      if (total !== undefined)
        return `${shown} sur ${total.more ? 'plus de ' : ''}${total.count.toLocaleString(locale)}`;
      return more ? `${shown}, et il y en a d’autres` : shown;
    },
    fresh: (count, what) => `Nouveautés : ${count} ${what}. Afficher`,
    changed: 'Cette liste a changé : afficher',
    nothingYet: (what) => `Pas encore ${of(what)}`,
    nothingYetHint: 'Les nouvelles fiches s’affichent ici dès leur arrivée.',
    nothingMatches: 'Aucun résultat',
    nothingMatchesHint: 'Retirez un filtre pour en voir plus.',
    clear: 'Retirer tous les filtres',
    filter: 'Filtrer',
    filterBy: (label) => `Filtrer par : ${label}`,
    without: (label) => `Retirer le filtre : ${label}`,
    apply: 'Appliquer',
    from: 'Du',
    until: 'Au',
    order: 'Ordre',
    newest: 'Les plus récentes d’abord',
    moreFilters: 'Plus',
    earliest: (label) => `${label} : anciennes d’abord`,
    latest: (label) => `${label} : récentes d’abord`,
    aToZ: 'De A à Z',
    zToA: 'De Z à A',
    cards: 'Cartes',
    table: 'Tableau',
    print: 'Imprimer',
    csv: 'Télécharger en CSV',
    export: 'Exporter …',
    refresh: 'Recharger',
    takeAway: 'Imprimer ou télécharger',
    cut: (count) =>
      `Seules les ${count} premières sont incluses. Pour le reste, posez un filtre ou demandez à l’exploitant.`,
    since: (day) => `à partir du : ${day}`,
    before: (day) => `jusqu’au : ${day}`,
    presets: {
      today: 'Aujourd’hui',
      tomorrow: 'Demain',
      yesterday: 'Hier',
      'last-7-days': '7 derniers jours',
      'last-30-days': '30 derniers jours',
      'next-7-days': '7 prochains jours',
      'from-today': 'À partir d’aujourd’hui',
    },
  },

  record: {
    edit: 'Modifier',
    add: (what) => `Ajouter : ${what}`,
    editByKey: 'Modifier (e)',
    remove: 'Supprimer',
    erase: 'Effacer définitivement',
    hold: 'Conserver',
    seen: 'Qui a vu cette fiche',
    more: 'Plus',
    created: 'Créée',
    changed: 'Modifiée',
    by: (who) => `par ${who}`,
    identifiers: 'Identifiants',
    count: (shown, all) => (String(shown) === all ? all : `${shown} sur ${all}`),
    identifier: 'Identifiant',
    name: 'Nom',
    unique: 'Identifiant unique',
    tabs: { fields: 'Fiche', history: 'Historique', json: 'JSON', curl: 'curl' },
    seeAll: 'Tout voir',
    noneOf: (what) => `Pas encore ${of(what)}.`,
    previous: 'Fiche précédente (p)',
    next: 'Fiche suivante (n)',
    nothing: 'Aucune donnée',
    somebody: 'Quelqu’un',
    changedBy: (who) => `${who} a modifié cette fiche : afficher`,
    removedBy: (who) => `${who} a supprimé cette fiche : afficher`,
    removed: 'Cette fiche a été supprimée.',
    gone: 'Elle n’existe plus, ou vous ne pouvez pas la voir.',
    images: 'Images',
    image: (number, total) => `Image ${number} sur ${total}`,
    noImage: 'Cette image ne peut pas être affichée.',
  },

  removal: {
    done: (count) => plural(count, 'fiche supprimée.', 'fiches supprimées.'),
  },

  requests: {
    about: 'Requêtes refusées, avec chaque erreur. Conservées 30 jours.',
    none: 'Rien n’a été refusé',
    noneHint: 'Les requêtes refusées s’affichent ici, avec leurs erreurs.',
    filters: {
      by: 'Envoyée par',
      key: 'Clé ou personne',
      identifier: 'Identifiant de la fiche',
      status: 'État',
      code: 'Code',
      path: 'Le chemin commence par',
      since: 'Quand',
      request_id: 'Requête',
    },
    examples: {
      identifier: 'V4994',
      status: '400',
      code: 'phone_number_invalid',
      path: '/v1/events',
    },
    byWords: { '': 'Systèmes', staff: 'Équipe, dans cette console', all: 'Tous' },
    sinceWords: {
      '': 'Les 30 jours',
      '1h': 'La dernière heure',
      '24h': 'Les 24 dernières heures',
      '7d': 'Les 7 derniers jours',
    },
    anyKey: 'Toutes',
    authentication: (why) => `La clé n’a pas été acceptée : ${why}`,
    anyName: 'noms inconnus',
    like: (name) => `inconnu, proche de ${name}`,
    from: (address) => `depuis ${address}`,
    rows: (rows, lines) => `dans ${lines ? 'la ligne' : 'l’élément'} ${rows.join(', ')}`,
  },

  staff: {
    accounts: 'Comptes',
    locations: 'Établissements',
    allLocations: 'Tous les établissements, et ceux qui s’ajouteront',
    onlyLocations: 'Seulement ces établissements',
    ofRegion: 'Les établissements d’une région, même si elle change',
    region: 'Région',
    noLocation: 'aucun établissement n’en fait partie, donc rien n’est visible',
    inRegion: (region, locations) => `${region} : ${locations}`,
  },

  shortcuts: {
    title: 'Raccourcis clavier',
    on: 'Utiliser les raccourcis clavier',
    goTo: (screen) => `Aller à : ${screen}`,
    list: [
      [['/'], 'Rechercher'],
      [['Ctrl', 'K'], 'Rechercher'],
      [['j'], 'Ligne suivante'],
      [['k'], 'Ligne précédente'],
      [['Entrée'], 'Ouvrir la ligne'],
      [['e'], 'Modifier la fiche'],
      [['n'], 'Fiche suivante'],
      [['p'], 'Fiche précédente'],
      [['?'], 'Cette aide'],
    ],
  },
};
