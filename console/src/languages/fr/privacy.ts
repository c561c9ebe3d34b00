/** The French texts of the screens of privacy. */
import type * as audit_ from '../../screens/audit/texts.ts';
import type * as holds_ from '../../screens/holds/texts.ts';
import type * as privacy_ from '../../screens/privacy/texts.ts';
import type { Translated } from '../languages.ts';
import { plural } from './page.ts';

export const privacy: Translated<typeof privacy_> = {
  says: {
    about: 'Les personnes qui vous demandent de supprimer ce que vous avez sur elles.',
    none: 'Aucune demande pour le moment',
    noneHint:
      'Quand quelqu’un demande à être oublié, commencez une demande : elle trouve ses fiches, et vous choisissez celles qui sont effacées.',
    begin: 'Commencer une demande',
    open: 'À traiter',
    ended: 'Terminées',
    more: 'Demandes antérieures',
    request: 'Demande',
    of: (day) => `Demande : ${day}`,
    received: 'Reçue',
    due: 'Échéance',
    overdue: (day) => `En retard depuis : ${day}`,
    dueIn: (day, when) => `${day}, ${when}`,
    dueBy: (day, when) => `Échéance : ${day}, ${when}`,
    receivedOn: (day) => `Reçue : ${day}`,
    found: 'Trouvées',
    erased: 'Effacées',
    statuses: {
      ready: 'À décider',
      running: 'En cours d’effacement',
      waiting: 'Attend une levée',
      done: 'Effacée',
      closed: 'Close',
    },

    account: 'Compte',
    form: {
      hint: 'Indiquez ce que vous savez. Cela sert à trouver les fiches, est conservé chiffré et disparaît à la fin de la demande.',
      records: 'Fiche',
      phones: 'Numéros de téléphone',
      emails: 'Adresses e-mail',
      names: 'Noms',
      name: 'Nom',
      born: 'Date de naissance',
      service: 'À une cérémonie le',
      nameAt: (what, number) => `${what}, nom ${number}`,
      namesHint:
        'Tels qu’ils peuvent être écrits dans les fiches : « Jane Doe », « Jane Miller ». Une date aide à distinguer les personnes du même nom.',
      addName: 'Un autre nom',
      withoutName: (number) => `Retirer le nom ${number}`,
      aLine: 'Un par ligne.',
      reference: 'Votre référence',
      referenceHint:
        'Le nom que vous donnez à la demande, par exemple « Lettre du 3 mars ». Elle est conservée : aucun nom.',
      receivedOn: 'Reçue le',
      submit: 'Trouver ses fiches',
      missing: 'Indiquez au moins un numéro de téléphone, une adresse e-mail ou un nom.',
    },

    choose: 'Choisissez ce qui est effacé',
    chooseHint:
      'Un téléphone fixe se partage et un nom peut être porté par plusieurs : regardez chaque fiche avant de la cocher.',
    chooseAll: (count) => `Cocher les ${count}`,
    chooseNone: 'Ne rien cocher',
    chosen: (count) => plural(count, 'fiche cochée', 'fiches cochées'),
    nothing: 'Rien n’a été trouvé',
    nothingHint:
      'Commencez une autre demande avec un ancien numéro ou une autre orthographe, ou fermez celle-ci.',
    looking:
      'La recherche continue dans les versions antérieures, les fiches supprimées et les textes libres. Ce qui est trouvé apparaît ici.',
    lookedTooMany:
      'Plus de 1 000 fiches ont été trouvées, et la recherche s’est arrêtée : commencez une autre demande avec un nom moins courant.',
    refusedRows: (count) =>
      `${plural(count, 'ligne refusée d’un import mentionne', 'lignes refusées d’imports mentionnent')} la personne et ${count < 2 ? 'disparaît' : 'disparaissent'} avec ce que vous effacez.`,
    rowsSure: 'Effacer définitivement les lignes refusées ?',
    openRecord: 'Ouvrir',
    foundBy: (reasons) => `Trouvée par : ${reasons}`,
    named: 'Vous l’avez indiquée',
    reasons: {
      phone_number: 'numéro de téléphone',
      email_address: 'adresse e-mail',
      name: 'nom',
      name_and_date: 'nom et date',
      mentioned: 'une mention dans son texte',
      earlier_version: 'une version antérieure',
      removed: 'ce qu’elle contenait avant sa suppression',
    },
    states: {
      erased: 'Effacée',
      gone: 'Effacée ; peut être renvoyée',
      removed: 'Supprimée auparavant',
      past: 'Versions antérieures effacées',
    },
    left: {
      record_held:
        'En attente : une mesure de conservation la protège. Elle est effacée quand celle-ci est levée.',
      record_has_children: 'Non effacée : d’autres fiches en dépendent. Cochez-les également.',
      resource_missing: 'Non effacée : elle n’était plus là.',
    },
    held: 'Une mesure de conservation la protège : elle n’est effacée que quand celle-ci est levée.',
    leftOther: 'Pas encore effacée.',
    showMore: (count) => `En afficher ${count} de plus`,
    basis: (basis) => `Close : ${basis}`,

    erase: (count) => (count === 0 ? 'Effacer …' : `Effacer ${plural(count, 'fiche', 'fiches')} …`),
    eraseSure: (count) => `Effacer définitivement ${plural(count, 'fiche', 'fiches')} ?`,
    eraseHint:
      'Elles disparaissent avec tout leur historique, et les systèmes qui suivent les changements sont avertis. Si un système les renvoie, elles sont refusées. Rien ici ne les rétablit.',
    whatGoes: 'Ce qui disparaît',
    whole: 'Les fiches',
    past: 'Seulement leur passé',
    pastHint:
      'Elles restent telles qu’elles sont. Ce qu’elles contenaient avant disparaît définitivement, par exemple un numéro de carte saisi dans le mauvais champ. Aucun système n’est averti.',
    seals:
      'Une cérémonie à laquelle des visiteurs sont rattachés reste, sans la personne : sa date est conservée, son nom devient « Erased » et le reste disparaît. Ses visiteurs sont des fiches à part : cochez aussi celles de la personne.',
    pastDone: (count) =>
      `Ce que ${plural(count, 'fiche contenait', 'fiches contenaient')} avant est effacé.`,
    word: 'EFFACER',
    typeWord: (word) => `Tapez ${word} pour confirmer`,
    eraseSubmit: 'Effacer définitivement',
    progress: (erased, all) => `${erased} sur ${all} effacées`,
    done: (count) => plural(count, 'fiche effacée.', 'fiches effacées.'),
    someLeft: (count) =>
      `${plural(count, 'fiche n’a pas été effacée', 'fiches n’ont pas été effacées')} : voyez pourquoi ci-dessous.`,

    close: 'Fermer la demande',
    closeSure: 'Fermer cette demande ?',
    closeHint: 'Plus rien n’est effacé pour elle. Dites pourquoi, sans nom : c’est conservé.',
    basisLabel: 'Sur quel fondement',
    basisPlaceholder: 'Par exemple « la loi impose de garder les arrangements un an »',
    closed: 'Close.',

    lift: 'Permettre un nouvel envoi',
    liftSure: 'Permettre que cette fiche soit renvoyée ?',
    liftHint:
      'Pour une fiche effacée par erreur. Son contenu reste effacé : il ne revient que si le système qui l’avait la renvoie.',
    lifted: 'Elle peut être renvoyée.',

    told: {
      title: 'Qui a des copies',
      endpoint: 'Une destination de notifications',
      import: 'Un import',
      statuses: {
        waiting: 'Pas encore',
        told: 'Averti',
        not_told: 'Non averti : en pause',
        failed: 'Échec',
        removed: 'N’existe plus',
        acknowledged: 'Dit que c’est fait',
        opened: 'L’a consultée',
        exported: 'A exporté des fiches de ce type',
      },
      again: 'Encore renvoyée',
      againHint:
        'Elle est refusée à chaque fois. Demandez à ces systèmes de supprimer aussi la personne.',
      times: (count) => plural(count, 'fois', 'fois'),
    },
    seen: {
      title: 'Revues depuis',
      hint: 'Ces fiches sont arrivées depuis, avec un numéro ou une adresse e-mail de la personne. Rien n’a été refusé. Si c’est elle, commencez une demande. Si c’est quelqu’un d’autre, comme un conjoint au même téléphone fixe, dites-le.',
      dismiss: 'Quelqu’un d’autre',
      dismissed: 'Elle n’est plus affichée.',
      more: (count) => `Et ${count} de plus.`,
      count: (count) => `Revues depuis : ${count}`,
    },
    copy: {
      make: 'Copie',
      title: 'Ce qui est conservé sur vous',
      file: 'Fichier pour programmes',
      hint: 'Seulement les fiches cochées, pour la personne qui le demande. Imprimez-la, ou enregistrez-la en PDF depuis l’impression. L’audit garde trace de cette copie.',
      outcomes: {
        created: 'Enregistrée pour la première fois',
        updated: 'Modifiée',
        deleted: 'Supprimée',
        restored: 'Restaurée',
      },
    },
    certificate: {
      open: 'Attestation',
      title: 'Attestation d’effacement',
      file: 'Fichier scellé',
      of: 'Groupe',
      records: 'Fiches effacées',
      noRecords: 'Aucune.',
      on: (time) => `effacées : ${time}`,
      whatWent:
        'Avec chaque fiche ont disparu son historique et tout ce que le service conservait d’elle. Elle est refusée si un système la renvoie.',
      left: 'Non effacées',
      backups: 'Sauvegardes antérieures',
      kinds: { continuous: 'Sauvegarde continue', file: 'Fichier de sauvegarde' },
      until: (day) => `peut les contenir jusqu’au ${day}`,
      kept: 'peut les contenir tant que l’exploitant la conserve',
      issued: (time) => `Établie : ${time}, sans rien de la personne.`,
      seal: 'Sceau et clé',
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
    more: 'Mesures antérieures',
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

export const audit: Translated<typeof audit_> = {
  says: {
    about:
      'Qui a ouvert, cherché, exporté ou administré quoi. Les modifications sont dans l’historique de chaque fiche.',
    ofRecord: (what) => `Qui a vu cette fiche : ${what}`,
    all: 'Tout afficher',
    none: 'Rien pour le moment',
    noneHint: 'Ce que les personnes regardent apparaît ici en quelques secondes.',
    older: 'Entrées antérieures',
    when: 'Quand',
    who: 'Qui',
    what: 'Quoi',
    record: 'Fiche',
    count: 'Fois',
    address: 'Depuis',
    anybody: 'Tout le monde',
    anything: 'Tout',
    nobody: 'Inconnu',
    since: 'Depuis quand',
    sinceWords: {
      '': 'Depuis le début',
      '1d': 'Le dernier jour',
      '7d': 'Les 7 derniers jours',
      '30d': 'Les 30 derniers jours',
    },
    actions: {
      read: 'A ouvert',
      history: 'A regardé l’historique',
      image: 'A regardé une image',
      list: 'A listé',
      search: 'A cherché',
      export: 'A exporté',
      print: 'A imprimé',
      sign_in: 'A ouvert une session',
      administer: 'A administré',
      erase: 'A effacé',
      hold: 'A conservé ou levé',
      command: 'Commande',
      reads: 'Lu par un programme',
    },
    own: { ers_: 'Demande d’effacement', hld_: 'Mesure de conservation', ret_: 'Règle de durée' },
    kinds: {
      run_erasure: 'a effacé des fiches',
      close_erasure: 'a clos une demande',
      lift_erasure: 'a permis de renvoyer une fiche',
      place_hold: 'a posé une mesure de conservation',
      release_hold: 'a levé une mesure de conservation',
      create_retention_rule: 'a créé une règle de durée',
      change_retention_rule: 'a modifié une règle de durée',
      delete_retention_rule: 'a retiré une règle de durée',
      enable_retention_rule: 'a activé une règle de durée',
      pause_retention_rule: 'a mis en pause une règle de durée',
      name: 'par un nom',
      phone_number: 'par un numéro de téléphone',
      email_address: 'par une adresse e-mail',
      unique_identifier: 'par un identifiant',
    },
  },
};
