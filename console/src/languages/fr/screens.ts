/** The French texts of single screens; `page.ts` has the glossary. */
import type * as account_ from '../../screens/account/texts.ts';
import type * as edit_ from '../../screens/edit/texts.ts';
import type * as entry_ from '../../screens/entry/texts.ts';
import type * as keys_ from '../../screens/keys/texts.ts';
import type * as proposals_ from '../../screens/proposals/texts.ts';
import type * as record_ from '../../screens/record/texts.ts';
import type * as removed_ from '../../screens/removed/texts.ts';
import type * as staff_ from '../../screens/staff/texts.ts';
import type { Translated } from '../languages.ts';
import { plural } from './page.ts';

export { exports, feeds, imports, webhooks } from './files.ts';
export { audit, privacy } from './privacy.ts';
export { holds, retention } from './retention.ts';

export const account: Translated<typeof account_> = {
  says: {
    name: 'Votre nom',
    passkeys: 'Clés d’accès',
    passkey: 'Clé d’accès',
    made: (when) => `créée : ${when}`,
    used: (when) => `utilisée : ${when}`,
    hasPassword: 'Un nouveau mot de passe met fin à toutes vos autres sessions.',
    noPassword: 'Vous n’avez pas de mot de passe.',
    newPassword: 'Nouveau mot de passe',
    passwordSaved: 'Le mot de passe est changé. Toutes les autres sessions sont terminées.',
    sessions: 'Où vous êtes connecté',
    methods: {
      password: 'Mot de passe',
      passkey: 'Clé d’accès',
      single_sign_on: 'Connexion unique',
    },
    here: 'ce navigateur',
    unknownBrowser: 'Navigateur inconnu',
    end: 'Terminer',
    endOthers: 'Terminer toutes les autres',
  },
  asks: {
    endSure: (browser) => `Terminer la session dans ${browser} ?`,
    endHint:
      'Ce navigateur est déconnecté aussitôt. Ce qui y a été saisi reste jusqu’à la fermeture de la page.',
    endOthersSure: 'Terminer toutes les autres sessions ?',
    endOthersHint: 'Vous êtes déconnecté partout, sauf ici.',
    removeSure: (name) => `Supprimer la clé d’accès ${name} ?`,
    removeHint:
      'Elle ne permet plus de se connecter. C’est définitif : créez-en une nouvelle pour la remplacer.',
  },
};

export const edit: Translated<typeof edit_> = {
  says: {
    title: (what) => `Modifier : ${what}`,
    partner:
      'Ce que vous modifiez ici est conservé. Si un système envoie une autre valeur, elle vous est proposée.',
    stored: (value) => `Sera enregistré sous la forme ${value}`,
    nothing: 'Rien n’a changé.',
    conflict: (who) => `${who} a modifié cette fiche entre-temps.`,
    conflictHint:
      'Vous avez tous deux modifié ces champs. Choisissez pour chacun ce qu’il faut garder, puis enregistrez de nouveau. Tout le reste est conservé.',
    somebody: 'Quelqu’un',
    merged: 'Enregistré. Ce que d’autres ont modifié entre-temps est conservé aussi.',
    empty: 'vide',
    noPhone: (label) =>
      `${label} : ce n’est pas un numéro de téléphone. Écrivez-le ainsi : (217) 555-0199, ou avec + et l’indicatif du pays.`,
    extension: (label, extension) =>
      `${label} : un poste n’est pas possible ; retirez « ${extension} » et écrivez-le dans un autre champ.`,
    was: 'Avant',
    theirs: 'De l’autre personne',
    yours: 'De vous',
    take: (which, label) => `${label} : garder ${which}`,
    added: 'Fiche ajoutée.',
    missing: 'Il manque quelque chose.',
    needed: (label) => `${label} : champ obligatoire.`,
    chooseOne: (what) => `À choisir : ${what}.`,
    change: 'Changer',
    identified: (identifier) =>
      `Elle reçoit l’identifiant ${identifier}. Si un système envoie plus tard la même personne, ce sera une autre fiche.`,
    ctrlEnter: 'Ctrl+Entrée enregistre',
    faults: 'Certaines valeurs ont été refusées.',
    zone: (zone) => `Fuseau : ${zone}`,
    part: (label, position, what) => `${label} ${position} : ${what}`,
    memberName: 'nom',
    memberValue: 'valeur',
    memberKind: 'type',
    asText: 'Texte',
    asJson: 'JSON',
    addMember: 'Ajouter un détail',
    unnamed: (value) => `« ${value} » a besoin d’un nom.`,
    twice: (name) => `« ${name} » figure deux fois : renommez l’un ou supprimez-le.`,
    noJson: (name) =>
      `La valeur de « ${name} » n’est pas du JSON. Écrivez un nombre, true, ["a", "b"] ou {"a": 1}, ou choisissez Texte.`,
    entry: (label, position) => `${label} ${position}`,
    takeOut: (label, position) => `Retirer ${label} ${position}`,
    up: (label, position) => `Monter ${label} ${position}`,
    down: (label, position) => `Descendre ${label} ${position}`,
    addEntry: 'Ajouter une adresse',
  },
};

export const entry: Translated<typeof entry_> = {
  says: {
    title: 'Bienvenue',
    lead: (email) => `L’invitation est adressée à ${email}.`,
    from: (group, by) =>
      by === null
        ? `Pour consulter les fiches de ${group}.`
        : `${by} vous invite à consulter les fiches de ${group}.`,
    show: 'Afficher le mot de passe',
    name: 'Votre nom',
    passkey: 'Créer une clé d’accès',
    passkeyHint: 'Connectez-vous par empreinte, visage ou verrouillage de l’écran. Rien à retenir.',
    password: 'Choisir plutôt un mot de passe',
    passwordHint: 'Au moins 15 caractères. Une phrase convient bien.',
    submit: 'Créer le compte',
    onlyPasskey: 'Les administrateurs se connectent avec une clé d’accès.',
  },
};

export const keys: Translated<typeof keys_> = {
  says: {
    about:
      'D’autres systèmes envoient et lisent des fiches avec une clé. Créez-en une pour chaque système.',
    none: 'Pas encore de clé',
    add: 'Créer une clé',
    name: 'Nom',
    namePlaceholder: 'Par exemple « Tablettes de l’accueil »',
    account: 'Compte',
    ending: 'Se termine par',
    may: 'Droits',
    also: 'Au-delà des fiches',
    rights: [
      ['requests', 'Voir quelles requêtes ont été refusées'],
      ['webhooks', 'Créer des destinations de webhooks'],
    ],
    from: 'Seulement depuis ces adresses',
    fromHint: 'Adresses ou réseaux, séparés par des espaces. Laissez vide pour tous.',
    rate: 'Maximum de requêtes',
    per: 'Par seconde ou par minute',
    aSecond: 'par seconde',
    aMinute: 'par minute',
    concurrent: 'Maximum à la fois',
    expires: 'Valable jusqu’à la fin du',
    until: (day) => `jusqu’au : ${day}`,
    fromShort: (addresses) => `depuis ${addresses}`,
    rateShort: (rate) => (rate >= 1 ? `${rate}/s` : `${Math.round(rate * 60)}/min`),
    atOnce: (count) => `${count} à la fois`,
    overlap: 'L’ancien secret cesse de fonctionner',
    overlaps: [
      [86_400, 'dans un jour'],
      [604_800, 'dans une semaine'],
      [3_600, 'dans une heure'],
      [0, 'maintenant'],
    ],
    everything: 'tout',
    resources: 'Fiches',
    allResources: 'Tous les types de fiches',
    onlyResources: 'Seulement ces types',
    choices: {
      read: 'Lire des fiches',
      write: 'Ajouter et modifier des fiches',
      delete: 'Supprimer des fiches',
    },
    allowed: {
      audit: 'Voir l’audit',
      erase: 'Effacer définitivement',
      hold: 'Conserver et lever',
      pin: 'Corriger comme l’équipe',
      requests: 'Voir les requêtes refusées',
      sources: 'Fusionner les sources',
      webhooks: 'Créer des destinations de webhooks',
    },
    decides: (what) => `Décider de ${what}`,
    lastUsed: 'Dernière utilisation',
    permissions: { read: 'lire', write: 'écrire', delete: 'supprimer' },
    statuses: {
      active: 'Active',
      suspended: 'Suspendue',
      expired: 'Expirée',
      revoked: 'Révoquée',
    },
    doings: { rotate: 'Renouveler', suspend: 'Suspendre', resume: 'Reprendre', revoke: 'Révoquer' },
    sure: (doing, name) => `${doing} ${name} ?`,
    hints: {
      rotate:
        'Vous recevez maintenant un nouveau secret. Remplacez-le dans le système qui l’utilise pendant que l’ancien fonctionne.',
      suspend:
        'Le système qui l’utilise est refusé jusqu’à ce que vous repreniez la clé. Ce qu’il envoie entre-temps n’est pas enregistré : il doit l’envoyer de nouveau.',
      resume: '',
      revoke: 'Le système qui l’utilise est refusé dès maintenant. C’est définitif.',
    },
    secret: 'Le secret de la clé',
    secretHint: 'Copiez-le maintenant : il ne sera plus affiché.',
  },
};

export const proposals: Translated<typeof proposals_> = {
  says: {
    about:
      'Ce que les systèmes envoient pour des champs que le personnel a corrigés. Rien ne change tant que vous n’avez pas décidé.',
    none: 'Rien à décider',
    noneHint:
      'Quand un système envoie une autre valeur pour ce que le personnel a corrigé, elle s’affiche ici.',
    what: 'Quoi',
    field: 'Champ',
    ours: 'La nôtre',
    theirs: 'Celle du système',
    sent: 'Envoyée',
    decide: 'Décider',
  },
};

export const record: Translated<typeof record_> = {
  says: {
    removal: {
      title: (what) => `Supprimer ${what} ?`,
      alone: 'Aucune autre fiche n’est supprimée avec celle-ci.',
      goesWith: 'Fiches supprimées avec elle :',
      entry: (count, more, one, many) =>
        `${more ? `plus de ${count}` : count} ${count < 2 && !more ? one : many}`,
      all: (count) => `${plural(count, 'fiche', 'fiches')} en tout.`,
      back: 'Tout peut être rétabli : aussitôt avec « Annuler », plus tard sous « Supprimées », tant que l’exploitant conserve ce qui a été supprimé. Si son système l’envoie de nouveau avant, elle revient comme une nouvelle fiche.',
      submit: 'Supprimer',
    },
    did: {
      created: 'a créé cette fiche',
      updated: 'a modifié',
      deleted: 'a supprimé cette fiche',
      restored: 'a rétabli cette fiche',
    },
    somebody: 'Quelqu’un',
    fields: (count) => plural(count, 'champ', 'champs'),
    nothing: 'rien de ce qui s’affiche',
    version: (version) => `Version n° ${version}`,
    becomes: 'devient',
    empty: 'vide',
    bringBack: 'Rétablir cette version',
    confirm: (version) => `Rétablir la version ${version} ?`,
    would: 'Maintenant, et après le rétablissement :',
    comesBack: 'La fiche revient avec :',
    same: 'Elle contient déjà ce qu’elle contenait alors.',
    confirmHint: 'Cela devient une nouvelle version, que vous pouvez annuler de la même façon.',
    done: 'Fiche rétablie.',
    unkept: 'Le contenu de cette version n’est pas conservé.',
    more: 'Modifications plus anciennes',
    none: 'Aucun historique de cette fiche n’est conservé.',
    pins: {
      title: 'Corrigé par le personnel',
      about: 'Ce que les systèmes envoient pour ces champs ne les remplace pas.',
      by: (who) => `${who} a corrigé ceci`,
      now: (who) => `${who} indique maintenant :`,
      source: 'Le système',
      keep: 'Garder la nôtre',
      accept: 'Utiliser celle-ci',
      lift: 'Laisser le système décider',
      decided: 'C’est décidé.',
      did: {
        pinned: 'a corrigé',
        proposed: 'a envoyé une autre valeur pour',
        kept: 'a gardé la correction de',
        withdrawn: 'a retiré l’autre valeur pour',
        ended: 'a mis fin à la correction de',
      },
      became: {
        pinned: 'corrigé par le personnel',
        proposed: 'un système a envoyé une autre valeur',
        kept: 'le personnel a gardé la sienne',
        withdrawn: 'le système a retiré sa valeur',
        ended: 'le système décide de nouveau',
      },
    },
    settings: {
      title: 'Fuseau horaire et région',
      change: 'Modifier',
      zone: 'Fuseau horaire',
      zoneHint: 'Un nom comme America/New_York.',
      region: 'Région',
      regionHint: 'Le nom que vous donnez à un groupe d’établissements.',
      state: 'État ou province',
      inherited: 'du compte',
      unset: 'non défini',
      empty: 'Laissez un champ vide pour prendre celui du compte.',
    },
    curl: {
      read: 'la lire',
      history: 'ce qui lui est arrivé',
      change: 'modifier un champ',
      remove: 'voir ce qu’une suppression emporterait',
    },
  },
};

export const removed: Translated<typeof removed_> = {
  says: {
    about: 'Ce qui a été supprimé et peut être rétabli, avec tout ce qui l’accompagnait.',
    search: 'Nom, ou autre contenu de la fiche',
    none: 'Rien n’a été supprimé',
    noneHint: 'Ce que l’équipe ou les systèmes suppriment s’affiche ici et peut être rétabli.',
    what: 'Quoi',
    count: 'Supprimées avec elle',
    others: (count) => plural(count, 'autre', 'autres'),
    by: 'Par',
    you: 'Vous',
    when: 'Quand',
    restore: 'Rétablir',
    everything: 'Tout rétablir',
    story: (name, when, together) =>
      `${name} : suppression ${when}${together === '' ? '' : `, avec ${together}`}.`,
    sure: (name) => `Rétablir ${name} ?`,
    would: (count) =>
      count === 0
        ? 'Rien ne peut être rétabli.'
        : count === 1
          ? '1 fiche sera rétablie.'
          : `${count} fiches seront rétablies.`,
    done: (count) =>
      count === 0
        ? 'Rien n’a été rétabli.'
        : count === 1
          ? '1 fiche a été rétablie.'
          : `${count} fiches ont été rétablies.`,
    left: (count) =>
      count === 1 ? '1 fiche reste supprimée :' : `${count} fiches restent supprimées :`,
    leftOne: (what, name, why) => `${what} ${name} : ${why}`,
    leftMore: (count) => `et ${count} de plus.`,
  },
};

export const staff: Translated<typeof staff_> = {
  says: {
    about: 'Les personnes qui peuvent se connecter ici.',
    name: 'Nom',
    role: 'Rôle',
    roles: { viewer: 'Lecture', editor: 'Rédaction', administrator: 'Administration' },
    roleHints: {
      viewer: 'voit les fiches',
      editor: 'les corrige et les supprime aussi',
      administrator: 'gère aussi les clés et les personnes',
    },
    statuses: { invited: 'Invitation envoyée', active: 'Actif', disabled: 'Désactivé' },
    lastIn: 'Dernière connexion',
    you: 'Vous',
    invite: 'Inviter une personne',
    doings: {
      change: 'Changer le rôle et les établissements',
      invite: 'Nouvelle invitation',
      disable: 'Désactiver',
      enable: 'Activer',
      remove: 'Supprimer',
      end_sessions: 'Déconnecter',
    },
    done: {
      change: 'C’est changé, avec effet immédiat.',
      disable: 'Compte désactivé, et déconnecté partout.',
      enable: 'Compte activé.',
      remove: 'Compte supprimé. Ses modifications restent, comme celles d’un ancien collègue.',
      end_sessions: 'Personne déconnectée partout.',
    },
    link: 'L’invitation',
    linkHint:
      'Envoyez ce lien à la personne. Il sert une seule fois, dans les 48 heures, et ne sera plus affiché.',
  },
  asks: {
    change: (name) => `Ce que ${name} peut faire`,
    sure: {
      invite: (name) => `Nouvelle invitation pour ${name} ?`,
      disable: (name) => `Désactiver ${name} ?`,
      end_sessions: (name) => `Déconnecter ${name} ?`,
      remove: (name) => `Supprimer ${name} ?`,
    },
    hints: {
      invite:
        'Son mot de passe et ses clés d’accès cessent de fonctionner, et ses sessions se terminent partout. Seule la nouvelle invitation permet de se reconnecter.',
      invited: 'L’invitation reçue cesse de fonctionner.',
      disable:
        'Ses sessions se terminent partout, et aucune connexion n’est possible jusqu’à ce que vous activiez le compte de nouveau. Son mot de passe et ses clés d’accès sont conservés.',
      end_sessions: 'Ses sessions se terminent partout ; une nouvelle connexion reste possible.',
      remove:
        'Son nom, son courriel, son mot de passe et ses clés d’accès sont effacés. C’est définitif : pour redonner l’accès, envoyez une invitation.',
    },
  },
};
