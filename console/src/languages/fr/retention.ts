/** French texts of retention and holds. */
import type * as holds_ from '../../screens/holds/texts.ts';
import type * as retention_ from '../../screens/retention/texts.ts';
import type { Translated } from '../languages.ts';
import { plural } from './page.ts';

export const retention: Translated<typeof retention_> = {
  says: {
    about: 'Les fiches qui disparaissent d’elles-mêmes quand elles sont assez anciennes.',
    none: 'Rien ne disparaît de soi-même',
    noneHint:
      'Une règle supprime les fiches d’une sorte quand elles sont assez anciennes, par exemple les visiteurs trois ans après la cérémonie. Elle ne supprime rien tant que vous n’avez pas vu ce qui disparaîtrait et que vous ne l’avez pas activée.',
    make: 'Créer une règle',
    rule: 'Règle',
    lastRun: 'Dernier passage',
    statuses: {
      paused: 'En pause',
      enabled: 'Activée',
      stopped: 'Arrêtée',
      running: 'En cours',
      done: 'Terminé',
    },
    stopped: {
      twice_the_preview:
        'Le service a arrêté cette règle et n’a rien supprimé : plus du double des fiches attendues auraient disparu. Regardez ce qui disparaîtrait maintenant, et activez-la de nouveau si c’est juste.',
      clock:
        'Le service a arrêté cette règle : plus de 31 jours ont passé depuis que l’attendu a été compté, ou l’horloge a changé. Regardez ce qui disparaîtrait maintenant, et activez-la de nouveau.',
    },

    sentence: (what, after, since) => `Supprimer les ${what} ${after} après ${since}`,
    at: (where) => `de ${where}`,
    unless: (what) => `sauf si ${what}`,
    unlessOther: 'avec des exceptions',
    exceptions: {
      visitor_interested_in_pre_planning: 'la prévoyance les intéresse',
      person_interested_in_pre_planning: 'la prévoyance les intéresse',
      'additional_cart_metadata[is_abandoned_cart]': 'ils ont été abandonnés',
      incomplete: 'elles restent à lire',
      proposed: 'une source contredit une correction',
    },
    exception: (label) => `« ${label} » est oui`,
    years: (count) => plural(count, 'an', 'ans'),
    days: (count) => plural(count, 'jour', 'jours'),
    sinces: {
      event_datetime: 'la cérémonie',
      inserted_at: 'leur arrivée',
      updated_at: 'leur dernière modification',
    },

    form: {
      title: 'Créer une règle',
      change: 'Modifier la règle',
      account: 'Compte',
      what: 'Supprimer',
      after: 'Quand elles ont cet âge',
      unit: 'Ans ou jours',
      units: { years: 'ans', days: 'jours' },
      since: 'Compté depuis',
      where: 'Où',
      everywhere: 'Tous les établissements',
      unless: 'Sauf si',
      noException: 'Sans exception',
      least: 'Les garder au moins, en jours',
      leastHint:
        'Personne ne peut les supprimer avant, pas même un effacement, et même quand la règle est en pause. Laissez vide si aucune loi ne le demande.',
      basis: 'Pourquoi',
      basisHint: 'La loi, le contrat ou la politique, sans nom. C’est conservé avec la règle.',
      basisPlaceholder: 'Par exemple « Politique de confidentialité, section 4 »',
      submit: 'Créer la règle',
      noAge: 'Dites quel âge elles ont quand elles disparaissent.',
      next: 'Rien n’est encore supprimé : vous regardez d’abord ce qui disparaîtrait.',
      paused: 'La règle est alors en pause, jusqu’à ce que vous ayez vu ce qui disparaîtrait.',
    },

    preview: {
      title: 'Ce qui disparaîtrait',
      none: 'Regardez ce que la règle supprimerait avant de l’activer. Regarder ne supprime rien.',
      look: 'Regarder ce qui disparaîtrait',
      again: 'Regarder de nouveau',
      counting: 'Comptage en cours. Vous pouvez quitter cette page.',
      before: 'Compté avant le dernier passage.',
      old: 'Cela date de plus d’un jour : regardez de nouveau avant d’activer la règle.',
      goes: 'disparaissent',
      held: 'sont conservées',
      spared: 'sont épargnées',
      hints: {
        goes: 'plus anciennes que ne dit la règle',
        held: 'une mesure de conservation, une loi ou ce qui en dépend les garde',
        spared: 'l’exception les garde',
      },
      below: (what) => `Avec elles disparaissent ${what}.`,
      soon: (count) => `${count} de plus seront assez anciennes d’ici un mois.`,
      nothing: 'Rien n’est encore assez ancien.',
      byYear: 'Par année',
      byLocation: 'Par établissement',
      others: 'Autres établissements',
      bar: (label, goes, held, spared) =>
        `${label} : ${goes} disparaissent, ${held} sont conservées, ${spared} sont épargnées`,
    },

    enable: 'Activer',
    enableFirst: 'Regardez d’abord ce qui disparaîtrait.',
    enableSure: 'Activer cette règle ?',
    enableHint: (count) =>
      `Dans la minute, elle supprime ${count} fiches, avec tout leur historique et définitivement, puis chaque jour ce qui est devenu assez ancien. Les systèmes qui suivent les changements sont avertis. Rien ici ne les rétablit.`,
    word: 'SUPPRIMER',
    typeWord: (word) => `Tapez ${word} pour confirmer`,
    enabled: 'Activée. Elle commence dans la minute.',
    pause: 'Mettre en pause',
    paused: 'En pause. Plus rien n’est supprimé.',
    change: 'Modifier',
    changed: 'Modifiée. Elle est en pause jusqu’à ce que vous l’activiez de nouveau.',
    remove: 'Retirer',
    removeSure: 'Retirer cette règle ?',
    removeHint:
      'Plus rien ne disparaît par elle, et les rapports de ses passages s’en vont. Ce qu’elle a supprimé reste supprimé.',
    removed: 'Retirée.',
    lift: 'Permettre de renvoyer ce qu’elle a supprimé',
    liftSure: 'Permettre de renvoyer ce que cette règle a supprimé ?',
    liftHint:
      'Après une erreur : ce qu’elle a supprimé n’est plus refusé. Cela ne revient que si les systèmes qui l’ont le renvoient.',
    lifted: (count) =>
      `${plural(count, 'fiche peut être renvoyée', 'fiches peuvent être renvoyées')}.`,
    because: 'Pourquoi',
    least: (days) => `Personne ne peut les supprimer dans les premiers ${days}.`,

    runs: {
      title: 'Passages',
      none: 'Elle n’est pas encore passée.',
      when: 'Début',
      status: 'Résultat',
      removed: 'Supprimées',
      held: 'Conservées',
      spared: 'Épargnées',
      took: 'Durée',
      seconds: (count) => `${count} s`,
      more: 'Passages antérieurs',
      removedThen: 'supprimées',
      stopped: {
        twice_the_preview: 'Plus du double de ce qui était attendu',
        clock: 'L’horloge avait trop bougé',
        paused: 'La règle a été mise en pause ou modifiée',
      },
    },
  },
};

export const holds: Translated<typeof holds_> = {
  says: {
    about:
      'Ce qui est conservé, même si quelqu’un le supprime ou l’efface : pour une affaire, ou selon la loi.',
    none: 'Aucune mesure de conservation',
    noneHint:
      'Une mesure empêche qu’une cérémonie, un établissement ou le tout soit supprimé ou effacé.',
    place: 'Conserver',
    active: 'En vigueur',
    released: 'Levées',
    keeping: (name) => `Mesures qui conservent ${name}`,
    all: 'Afficher toutes les mesures',
    what: 'Ce qui est conservé',
    matter: 'Affaire',
    matterHint: 'Pour quoi c’est conservé, par exemple « Dossier 2026-118 ».',
    reason: 'Motif',
    until: 'Jusqu’au',
    untilHint: 'Le premier jour où la mesure ne vaut plus. Sans lui, elle dure jusqu’à sa levée.',
    untilReleased: 'Sa levée',
    placed: 'Depuis',
    why: 'Pourquoi',
    lapsed: 'Son terme était passé',
    everything: (group) => `Tout ce qui est de ${group}`,
    service:
      'Pour une seule cérémonie ou une autre fiche, ouvrez-la et choisissez Conserver sous Plus.',
    placeHint:
      'La fiche est conservée avec tout ce qui en dépend, y compris ce qui arrive plus tard. Elle peut être modifiée, et personne ne peut la supprimer ni l’effacer.',
    done: 'C’est conservé.',
    release: 'Lever',
    releaseSure: 'Lever cette mesure ?',
    releaseHint:
      'Ce qui l’attendait reprend dans la minute : les effacements se terminent définitivement.',
    releaseReason: 'Pourquoi elle prend fin',
    releasePlaceholder: 'Par exemple « l’affaire est close »',
    releasedDone: 'Levée.',
  },
};
