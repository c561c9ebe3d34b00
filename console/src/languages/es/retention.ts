/** Spanish texts of retention and holds. */
import type * as holds_ from '../../screens/holds/texts.ts';
import type * as retention_ from '../../screens/retention/texts.ts';
import type { Translated } from '../languages.ts';
import { plural } from './page.ts';

export const retention: Translated<typeof retention_> = {
  says: {
    about: 'Registros que se eliminan solos cuando son bastante antiguos.',
    none: 'Nada se elimina solo',
    noneHint:
      'Una regla elimina los registros de un tipo cuando son bastante antiguos, por ejemplo los visitantes tres años después del servicio. No elimina nada hasta que usted haya visto qué se eliminaría y la haya activado.',
    make: 'Crear una regla',
    rule: 'Regla',
    lastRun: 'Última vez',
    statuses: {
      paused: 'En pausa',
      enabled: 'Activa',
      stopped: 'Detenida',
      running: 'En curso',
      done: 'Terminada',
    },
    stopped: {
      twice_the_preview:
        'El servicio detuvo esta regla y no eliminó nada: se habría ido más del doble de registros de lo esperado. Mire qué se eliminaría ahora y actívela de nuevo si es correcto.',
      clock:
        'El servicio detuvo esta regla: pasaron más de 31 días desde que se contó lo esperado, o cambió el reloj. Mire qué se eliminaría ahora y actívela de nuevo.',
    },

    sentence: (what, after, since) => `Eliminar ${what} ${after} después ${since}`,
    at: (where) => `de ${where}`,
    unless: (what) => `salvo si ${what}`,
    unlessOther: 'con excepciones',
    exceptions: {
      visitor_interested_in_pre_planning: 'preguntaron por la planificación anticipada',
      person_interested_in_pre_planning: 'preguntaron por la planificación anticipada',
      'additional_cart_metadata[is_abandoned_cart]': 'se abandonaron',
      incomplete: 'aún están por leer',
      proposed: 'un origen no coincide con una corrección',
    },
    exception: (label) => `«${label}» es sí`,
    years: (count) => plural(count, 'año', 'años'),
    days: (count) => plural(count, 'día', 'días'),
    sinces: {
      event_datetime: 'del servicio',
      inserted_at: 'de su llegada',
      updated_at: 'de su última modificación',
    },

    form: {
      title: 'Crear una regla',
      change: 'Cambiar la regla',
      account: 'Cuenta',
      what: 'Eliminar',
      after: 'Cuando tengan esta antigüedad',
      unit: 'Años o días',
      units: { years: 'años', days: 'días' },
      since: 'Contada a partir',
      where: 'Dónde',
      everywhere: 'Todas las sucursales',
      unless: 'Salvo si',
      noException: 'Sin excepción',
      least: 'Conservarlos al menos, en días',
      leastHint:
        'Nadie puede eliminarlos antes, tampoco un borrado, ni siquiera mientras la regla está en pausa. Déjelo vacío si ninguna ley lo pide.',
      basis: 'Por qué',
      basisHint: 'La ley, el contrato o la política, sin nombres. Se guarda con la regla.',
      basisPlaceholder: 'Por ejemplo «Política de privacidad, sección 4»',
      submit: 'Crear la regla',
      noAge: 'Diga qué antigüedad tienen cuando se eliminan.',
      next: 'Todavía no se elimina nada: primero usted mira qué se eliminaría.',
      paused: 'La regla queda en pausa hasta que usted haya visto qué se eliminaría.',
    },

    preview: {
      title: 'Qué se eliminaría',
      none: 'Mire qué eliminaría la regla antes de activarla. Mirar no elimina nada.',
      look: 'Mirar qué se eliminaría',
      again: 'Mirar de nuevo',
      counting: 'Contando. Puede salir de esta página.',
      before: 'Contado antes de la última vez.',
      old: 'Tiene más de un día: mire de nuevo antes de activar la regla.',
      goes: 'se eliminan',
      held: 'se retienen',
      spared: 'se exceptúan',
      hints: {
        goes: 'más antiguos de lo que dice la regla',
        held: 'los conserva una retención, una ley o algo que les pertenece',
        spared: 'los conserva la excepción',
      },
      below: (what) => `Con ellos se eliminan ${what}.`,
      soon: (count) => `${count} más serán bastante antiguos en un mes.`,
      nothing: 'Todavía no hay nada bastante antiguo.',
      byYear: 'Por año',
      byLocation: 'Por sucursal',
      others: 'Otras sucursales',
      bar: (label, goes, held, spared) =>
        `${label}: ${goes} se eliminan, ${held} se retienen, ${spared} se exceptúan`,
    },

    enable: 'Activar',
    enableFirst: 'Primero mire qué se eliminaría.',
    enableSure: '¿Activar esta regla?',
    enableHint: (count) =>
      `En un minuto elimina ${count} registros, con todo su historial y para siempre, y desde entonces cada día lo que ya sea bastante antiguo. Se avisa a los sistemas que siguen los cambios. Nada de aquí los recupera.`,
    word: 'ELIMINAR',
    typeWord: (word) => `Escriba ${word} para confirmar`,
    enabled: 'Activada. Empieza en un minuto.',
    pause: 'Pausar',
    paused: 'En pausa. No se elimina nada más.',
    change: 'Cambiar',
    changed: 'Cambiada. Queda en pausa hasta que usted la active de nuevo.',
    remove: 'Quitar',
    removeSure: '¿Quitar esta regla?',
    removeHint:
      'Ya no se elimina nada por ella, y se van los informes de lo que hizo. Lo que eliminó sigue eliminado.',
    removed: 'Quitada.',
    lift: 'Permitir que se envíe de nuevo lo eliminado',
    liftSure: '¿Permitir que se envíe de nuevo lo que eliminó esta regla?',
    liftHint:
      'Después de un error: lo que eliminó ya no se rechaza. Solo vuelve si los sistemas que lo tienen lo envían de nuevo.',
    lifted: (count) =>
      `${plural(count, 'registro se puede', 'registros se pueden')} enviar de nuevo.`,
    because: 'Por qué',
    least: (days) => `Nadie puede eliminarlos en los primeros ${days}.`,

    runs: {
      title: 'Qué hizo',
      none: 'Todavía no hizo nada.',
      when: 'Comienzo',
      status: 'Resultado',
      removed: 'Eliminados',
      held: 'Retenidos',
      spared: 'Exceptuados',
      took: 'Duración',
      seconds: (count) => `${count} s`,
      more: 'Anteriores',
      removedThen: 'eliminados',
      stopped: {
        twice_the_preview: 'Encontró más del doble de lo esperado',
        clock: 'El reloj se había movido demasiado',
        paused: 'La regla se pausó o se cambió',
      },
    },
  },
};

export const holds: Translated<typeof holds_> = {
  says: {
    about: 'Lo que se conserva, aunque alguien lo elimine o lo borre: por un caso, o por ley.',
    none: 'No hay nada retenido',
    noneHint: 'Una retención impide que un servicio, una sucursal o todo se elimine o se borre.',
    place: 'Retener',
    active: 'Vigentes',
    released: 'Levantadas',
    keeping: (name) => `Retenciones que conservan ${name}`,
    all: 'Mostrar todas las retenciones',
    what: 'Qué se retiene',
    matter: 'Asunto',
    matterHint: 'Para qué se conserva, por ejemplo «Caso 2026-118».',
    reason: 'Motivo',
    until: 'Hasta',
    untilHint: 'El primer día en que ya no retiene. Sin él, dura hasta que se levante.',
    untilReleased: 'Que se levante',
    placed: 'Desde',
    why: 'Por qué',
    lapsed: 'Se cumplió su plazo',
    everything: (group) => `Todo lo de ${group}`,
    service: 'Para un solo servicio u otro registro, ábralo y elija Retener en Más.',
    placeHint:
      'Se retiene con todo lo que le pertenece, también lo que llegue después. Se puede modificar, y nadie puede eliminarlo ni borrarlo.',
    done: 'Está retenido.',
    release: 'Levantar',
    releaseSure: '¿Levantar esta retención?',
    releaseHint: 'Lo que la esperaba sigue en un minuto: los borrados se terminan para siempre.',
    releaseReason: 'Por qué termina',
    releasePlaceholder: 'Por ejemplo «el caso está cerrado»',
    releasedDone: 'Levantada.',
  },
};
