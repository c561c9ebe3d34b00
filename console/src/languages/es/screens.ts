/** The Spanish texts of single screens; `page.ts` has the glossary. */
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
    name: 'Su nombre',
    passkeys: 'Llaves de acceso',
    passkey: 'Llave de acceso',
    made: (when) => `creada: ${when}`,
    used: (when) => `usada: ${when}`,
    hasPassword: 'Una contraseña nueva cierra todas sus otras sesiones.',
    noPassword: 'Usted no tiene contraseña.',
    newPassword: 'Contraseña nueva',
    passwordSaved: 'La contraseña se cambió. Todas las otras sesiones se cerraron.',
    sessions: 'Dónde tiene la sesión abierta',
    methods: {
      password: 'Contraseña',
      passkey: 'Llave de acceso',
      single_sign_on: 'Inicio de sesión único',
    },
    here: 'este navegador',
    unknownBrowser: 'Navegador desconocido',
    end: 'Cerrar',
    endOthers: 'Cerrar todas las demás',
  },
  asks: {
    endSure: (browser) => `¿Cerrar la sesión en ${browser}?`,
    endHint:
      'La sesión de ese navegador se cierra de inmediato. Lo que se escribió allí queda hasta que alguien cierre la página.',
    endOthersSure: '¿Cerrar todas las demás sesiones?',
    endOthersHint: 'Su sesión se cierra en todas partes menos aquí.',
    removeSure: (name) => `¿Eliminar la llave de acceso ${name}?`,
    removeHint:
      'Ya no podrá entrar con ella. Esto no se puede deshacer: cree una nueva para reemplazarla.',
  },
};

export const edit: Translated<typeof edit_> = {
  says: {
    title: (what) => `Editar ${what}`,
    partner:
      'Lo que usted cambie aquí se conserva. Si un sistema envía otro valor, se le propone a usted.',
    stored: (value) => `Se guardará como ${value}`,
    nothing: 'No hay ningún cambio.',
    conflict: (who) => `${who} modificó este registro mientras tanto.`,
    conflictHint:
      'Los dos modificaron estos campos. Elija en cada uno qué conservar y guarde de nuevo. Todo lo demás se conserva.',
    somebody: 'Alguien',
    merged: 'Guardado. También se conserva lo que otros cambiaron mientras tanto.',
    empty: 'vacío',
    noPhone: (label) =>
      `${label}: no es un número de teléfono. Escríbalo como (217) 555-0199, o con + y el código del país.`,
    extension: (label, extension) =>
      `${label}: no puede tener extensión; quite «${extension}» y escríbala en otro campo.`,
    was: 'Antes',
    theirs: 'De la otra persona',
    yours: 'Suyo',
    take: (which, label) => `${label}: conservar ${which}`,
    added: 'Agregado.',
    missing: 'Falta algo.',
    needed: (label) => `${label}: es obligatorio.`,
    chooseOne: (what) => `Elija: ${what}.`,
    change: 'Cambiar',
    identified: (identifier) =>
      `Recibe el identificador ${identifier}. Si un sistema envía después a la misma persona, será otro registro.`,
    ctrlEnter: 'Ctrl+Intro guarda',
    faults: 'Algunos valores se rechazaron.',
    zone: (zone) => `Zona: ${zone}`,
    part: (label, position, what) => `${label} ${position}: ${what}`,
    memberName: 'nombre',
    memberValue: 'valor',
    memberKind: 'tipo',
    asText: 'Texto',
    asJson: 'JSON',
    addMember: 'Agregar un detalle',
    unnamed: (value) => `«${value}» necesita un nombre.`,
    twice: (name) => `«${name}» aparece dos veces: cambie el nombre de uno o quítelo.`,
    noJson: (name) =>
      `El valor de «${name}» no es JSON. Escriba un número, true, ["a", "b"] o {"a": 1}, o elija Texto.`,
    entry: (label, position) => `${label} ${position}`,
    takeOut: (label, position) => `Quitar ${label} ${position}`,
    up: (label, position) => `Subir ${label} ${position}`,
    down: (label, position) => `Bajar ${label} ${position}`,
    addEntry: 'Agregar una dirección',
  },
};

export const entry: Translated<typeof entry_> = {
  says: {
    title: 'Le damos la bienvenida',
    lead: (email) => `La invitación es para ${email}.`,
    from: (group, by) =>
      by === null ? `A los registros de ${group}.` : `${by} le invita a los registros de ${group}.`,
    show: 'Mostrar la contraseña',
    name: 'Su nombre',
    passkey: 'Crear una llave de acceso',
    passkeyHint:
      'Entre con su huella, su rostro o el bloqueo de pantalla. No hay nada que recordar.',
    password: 'Elegir una contraseña en su lugar',
    passwordHint: 'Al menos 15 caracteres. Una frase funciona bien.',
    submit: 'Crear la cuenta',
    onlyPasskey: 'Los administradores entran con una llave de acceso.',
  },
};

export const keys: Translated<typeof keys_> = {
  says: {
    about: 'Otros sistemas envían y leen registros con una clave. Cree una para cada sistema.',
    none: 'Todavía no hay claves',
    add: 'Crear una clave',
    name: 'Nombre',
    namePlaceholder: 'Por ejemplo «Tabletas de recepción»',
    account: 'Cuenta',
    ending: 'Termina en',
    may: 'Permisos',
    also: 'Además de los registros',
    rights: [
      ['requests', 'Ver qué solicitudes se rechazaron'],
      ['webhooks', 'Crear destinos de webhooks'],
    ],
    from: 'Solo desde estas direcciones',
    fromHint: 'Direcciones o redes, separadas por espacios. Deje vacío para permitir cualquiera.',
    rate: 'Máximo de solicitudes',
    per: 'Por segundo o por minuto',
    aSecond: 'por segundo',
    aMinute: 'por minuto',
    concurrent: 'Máximo a la vez',
    expires: 'Válida hasta el final del',
    until: (day) => `hasta: ${day}`,
    fromShort: (addresses) => `desde ${addresses}`,
    rateShort: (rate) => (rate >= 1 ? `${rate}/s` : `${Math.round(rate * 60)}/min`),
    atOnce: (count) => `${count} a la vez`,
    overlap: 'El secreto anterior deja de funcionar',
    overlaps: [
      [86_400, 'en un día'],
      [604_800, 'en una semana'],
      [3_600, 'en una hora'],
      [0, 'ahora'],
    ],
    everything: 'todo',
    resources: 'Registros',
    allResources: 'Todos los tipos de registros',
    onlyResources: 'Solo estos tipos',
    choices: {
      read: 'Leer registros',
      write: 'Agregar y modificar registros',
      delete: 'Eliminar registros',
    },
    allowed: {
      audit: 'Ver la auditoría',
      erase: 'Borrar para siempre',
      hold: 'Retener y levantar',
      pin: 'Corregir como el personal',
      requests: 'Ver las solicitudes rechazadas',
      sources: 'Combinar los orígenes',
      webhooks: 'Crear destinos de webhooks',
    },
    decides: (what) => `Decidir sobre ${what}`,
    lastUsed: 'Último uso',
    permissions: { read: 'leer', write: 'escribir', delete: 'eliminar' },
    statuses: {
      active: 'Activa',
      suspended: 'Suspendida',
      expired: 'Vencida',
      revoked: 'Revocada',
    },
    doings: { rotate: 'Rotar', suspend: 'Suspender', resume: 'Reanudar', revoke: 'Revocar' },
    sure: (doing, name) => `¿${doing} ${name}?`,
    hints: {
      rotate:
        'Usted recibe ahora un secreto nuevo. Cámbielo en el sistema que lo usa mientras el anterior funciona.',
      suspend:
        'Se rechaza al sistema que la usa hasta que usted reanude la clave. Lo que envíe mientras tanto no se guarda: tiene que enviarlo otra vez.',
      resume: '',
      revoke: 'Desde ahora se rechaza al sistema que la usa. Esto no se puede deshacer.',
    },
    secret: 'El secreto de la clave',
    secretHint: 'Cópielo ahora: no se vuelve a mostrar.',
  },
};

export const proposals: Translated<typeof proposals_> = {
  says: {
    about:
      'Lo que los sistemas envían para campos que el personal corrigió. Nada cambia hasta que usted decida.',
    none: 'Nada que decidir',
    noneHint: 'Cuando un sistema envía otro valor para lo que el personal corrigió, aparece aquí.',
    what: 'Qué',
    field: 'Campo',
    ours: 'Lo nuestro',
    theirs: 'Lo del sistema',
    sent: 'Enviado',
    decide: 'Decidir',
  },
};

export const record: Translated<typeof record_> = {
  says: {
    removal: {
      title: (what) => `¿Eliminar ${what}?`,
      alone: 'No se elimina ningún otro registro con este.',
      goesWith: 'También se elimina:',
      entry: (count, more, one, many) =>
        `${more ? `más de ${count}` : count} ${count === 1 && !more ? one : many}`,
      all: (count) => `${plural(count, 'registro', 'registros')} en total.`,
      back: 'Todo se puede restaurar: enseguida con «Deshacer», y más tarde en «Eliminados», mientras el operador conserve lo eliminado. Si su sistema lo envía antes otra vez, entra como un registro nuevo.',
      submit: 'Eliminar',
    },
    did: {
      created: 'creó este registro',
      updated: 'modificó',
      deleted: 'eliminó este registro',
      restored: 'restauró este registro',
    },
    somebody: 'Alguien',
    fields: (count) => plural(count, 'campo', 'campos'),
    nothing: 'nada de lo que se muestra',
    version: (version) => `Versión ${version}`,
    becomes: 'pasa a ser',
    empty: 'vacío',
    bringBack: 'Restaurar esta versión',
    confirm: (version) => `¿Restaurar la versión ${version}?`,
    would: 'Ahora, y después de restaurar:',
    comesBack: 'El registro vuelve con:',
    same: 'Ya contiene lo que contenía entonces.',
    confirmHint: 'Será una versión nueva, de modo que usted puede deshacerlo de la misma manera.',
    done: 'Restaurado.',
    unkept: 'El contenido de esta versión no se conserva.',
    more: 'Cambios anteriores',
    none: 'No se conserva el historial de este registro.',
    pins: {
      title: 'Corregido por el personal',
      about: 'Lo que los sistemas envían para estos campos no los reemplaza.',
      by: (who) => `${who} corrigió esto`,
      now: (who) => `${who} dice ahora:`,
      source: 'El sistema',
      keep: 'Conservar lo nuestro',
      accept: 'Usar esto',
      lift: 'Dejar que decida el sistema',
      decided: 'Decidido.',
      did: {
        pinned: 'corrigió',
        proposed: 'envió otro valor para',
        kept: 'conservó la corrección de',
        withdrawn: 'retiró el otro valor para',
        ended: 'terminó la corrección de',
      },
      became: {
        pinned: 'corregido por el personal',
        proposed: 'un sistema envió otro valor',
        kept: 'el personal conservó el suyo',
        withdrawn: 'el sistema retiró su valor',
        ended: 'vuelve a decidir el sistema',
      },
    },
    settings: {
      title: 'Zona horaria y región',
      change: 'Cambiar',
      zone: 'Zona horaria',
      zoneHint: 'Un nombre como America/New_York.',
      region: 'Región',
      regionHint: 'El nombre que usted da a un grupo de sucursales.',
      state: 'Estado',
      inherited: 'de la cuenta',
      unset: 'sin definir',
      empty: 'Deje un campo vacío para tomar el de la cuenta.',
    },
    curl: {
      read: 'leerlo',
      history: 'lo que le ha pasado',
      change: 'cambiar un campo',
      remove: 'ver qué se eliminaría con él',
    },
  },
};

export const removed: Translated<typeof removed_> = {
  says: {
    about: 'Lo que se eliminó y se puede restaurar, con todo lo que se fue con ello.',
    search: 'Nombre, o cualquier otro dato suyo',
    none: 'No se ha eliminado nada',
    noneHint: 'Lo que el personal o los sistemas eliminan aparece aquí y se puede restaurar.',
    what: 'Qué',
    count: 'Se fue con él',
    others: (count) => plural(count, 'otro', 'otros'),
    by: 'Por',
    you: 'Usted',
    when: 'Cuándo',
    restore: 'Restaurar',
    everything: 'Restaurar todo',
    story: (name, when, together) =>
      `${name}: se eliminó ${when}${together === '' ? '' : ` junto con ${together}`}.`,
    sure: (name) => `¿Restaurar ${name}?`,
    would: (count) =>
      count === 0
        ? 'No se puede restaurar nada.'
        : count === 1
          ? 'Se restaurará 1 registro.'
          : `Se restaurarán ${count} registros.`,
    done: (count) =>
      count === 0
        ? 'No se restauró nada.'
        : count === 1
          ? 'Se restauró 1 registro.'
          : `Se restauraron ${count} registros.`,
    left: (count) =>
      count === 1 ? '1 registro sigue eliminado:' : `${count} registros siguen eliminados:`,
    leftOne: (what, name, why) => `${what} ${name}: ${why}`,
    leftMore: (count) => `y ${count} más.`,
  },
};

export const staff: Translated<typeof staff_> = {
  says: {
    about: 'Personas que pueden entrar aquí.',
    name: 'Nombre',
    role: 'Función',
    roles: { viewer: 'Lector', editor: 'Editor', administrator: 'Administrador' },
    roleHints: {
      viewer: 've los registros',
      editor: 'también los corrige y los elimina',
      administrator: 'también gestiona claves y personas',
    },
    statuses: { invited: 'Con invitación', active: 'Activo', disabled: 'Desactivado' },
    lastIn: 'Última entrada',
    you: 'Usted',
    invite: 'Invitar a una persona',
    doings: {
      change: 'Cambiar la función y las sucursales',
      invite: 'Nueva invitación',
      disable: 'Desactivar',
      enable: 'Activar',
      remove: 'Eliminar',
      end_sessions: 'Cerrar sus sesiones',
    },
    done: {
      change: 'Cambiado. Vale de inmediato.',
      disable: 'Cuenta desactivada, con todas sus sesiones cerradas.',
      enable: 'Cuenta activada.',
      remove: 'Cuenta eliminada. Lo que cambió queda, como de un antiguo colega.',
      end_sessions: 'Todas sus sesiones se cerraron.',
    },
    link: 'La invitación',
    linkHint:
      'Envíe este enlace a la persona. Sirve una sola vez, dentro de 48 horas, y no se vuelve a mostrar.',
  },
  asks: {
    change: (name) => `Lo que ${name} puede hacer`,
    sure: {
      invite: (name) => `¿Nueva invitación para ${name}?`,
      disable: (name) => `¿Desactivar a ${name}?`,
      end_sessions: (name) => `¿Cerrar las sesiones de ${name}?`,
      remove: (name) => `¿Eliminar a ${name}?`,
    },
    hints: {
      invite:
        'Su contraseña y sus llaves de acceso dejan de funcionar, y sus sesiones se cierran en todas partes. Solo vuelve a entrar con la nueva invitación.',
      invited: 'La invitación que tiene deja de funcionar.',
      disable:
        'Sus sesiones se cierran en todas partes y no puede entrar hasta que usted active de nuevo la cuenta. Su contraseña y sus llaves de acceso se conservan.',
      end_sessions: 'Sus sesiones se cierran en todas partes; puede volver a entrar.',
      remove:
        'Se borran su nombre, su correo electrónico, su contraseña y sus llaves de acceso. Esto no se puede deshacer: para darle acceso otra vez, envíe una invitación.',
    },
  },
};
