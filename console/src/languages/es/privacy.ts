/** The Spanish texts of the screens of privacy. */
import type * as audit_ from '../../screens/audit/texts.ts';
import type * as holds_ from '../../screens/holds/texts.ts';
import type * as privacy_ from '../../screens/privacy/texts.ts';
import type { Translated } from '../languages.ts';
import { plural } from './page.ts';

export const privacy: Translated<typeof privacy_> = {
  says: {
    about: 'Personas que piden que se elimine lo que ustedes tienen sobre ellas.',
    none: 'Aún no hay solicitudes',
    noneHint:
      'Cuando alguien pida que lo olviden, empiece una solicitud: encuentra sus registros, y usted elige cuáles se borran.',
    begin: 'Empezar una solicitud',
    open: 'Por hacer',
    ended: 'Terminadas',
    more: 'Solicitudes anteriores',
    request: 'Solicitud',
    of: (day) => `Solicitud: ${day}`,
    received: 'Recibida',
    due: 'Vence',
    overdue: (day) => `Atrasada desde: ${day}`,
    dueIn: (day, when) => `${day}, ${when}`,
    dueBy: (day, when) => `Vence: ${day}, ${when}`,
    receivedOn: (day) => `Recibida: ${day}`,
    found: 'Encontrados',
    erased: 'Borrados',
    statuses: {
      ready: 'Por decidir',
      running: 'Borrando',
      waiting: 'Espera una retención',
      done: 'Borrada',
      closed: 'Cerrada',
    },

    account: 'Cuenta',
    form: {
      hint: 'Escriba lo que sepa. Sirve para encontrar los registros. Se guarda cifrado y se borra cuando la solicitud termina.',
      records: 'Registro',
      phones: 'Números de teléfono',
      emails: 'Correos electrónicos',
      names: 'Nombres',
      name: 'Nombre',
      born: 'Fecha de nacimiento',
      service: 'Estuvo en un servicio el',
      nameAt: (what, number) => `${what}, nombre ${number}`,
      namesHint:
        'Como pueden estar escritos en los registros: «Jane Doe», «Jane Miller». Una fecha ayuda a distinguir a personas del mismo nombre.',
      addName: 'Otro nombre',
      withoutName: (number) => `Quitar el nombre ${number}`,
      aLine: 'Uno en cada línea.',
      reference: 'Su referencia',
      referenceHint:
        'Cómo llama a la solicitud, por ejemplo «Carta del 3 de marzo». Se guarda: sin nombres.',
      receivedOn: 'Recibida el',
      submit: 'Encontrar sus registros',
      missing: 'Escriba al menos un teléfono, un correo electrónico o un nombre.',
    },

    choose: 'Elija qué se borra',
    chooseHint:
      'Los teléfonos fijos se comparten y los nombres se repiten: mire cada registro antes de marcarlo.',
    chooseAll: (count) => `Marcar los ${count}`,
    chooseNone: 'No marcar ninguno',
    chosen: (count) => plural(count, 'registro marcado', 'registros marcados'),
    nothing: 'No se encontró nada',
    nothingHint:
      'Empiece otra solicitud con un teléfono anterior o con el nombre escrito de otra manera, o cierre esta.',
    looking:
      'Aún se busca en versiones anteriores, registros eliminados y textos libres. Lo que se encuentre aparece aquí.',
    lookedTooMany:
      'Se encontraron más de 1,000 registros y la búsqueda se detuvo: empiece otra solicitud con un nombre menos común.',
    refusedRows: (count) =>
      `${plural(count, 'fila rechazada de una importación menciona', 'filas rechazadas de importaciones mencionan')} a la persona, y se ${count === 1 ? 'va' : 'van'} con lo que usted borre.`,
    rowsSure: '¿Borrar para siempre las filas rechazadas?',
    openRecord: 'Abrir',
    foundBy: (reasons) => `Encontrado por ${reasons}`,
    named: 'Usted lo indicó',
    reasons: {
      phone_number: 'teléfono',
      email_address: 'correo electrónico',
      name: 'nombre',
      name_and_date: 'nombre y fecha',
      mentioned: 'una mención en su texto',
      earlier_version: 'una versión anterior',
      removed: 'lo que contenía antes de eliminarse',
    },
    states: {
      erased: 'Borrado',
      gone: 'Borrado; se puede enviar de nuevo',
      removed: 'Se había eliminado antes',
      past: 'Versiones anteriores borradas',
    },
    left: {
      record_held: 'Espera: una retención lo conserva. Se borra cuando se levante.',
      record_has_children: 'No se borró: otros registros le pertenecen. Márquelos también.',
      resource_missing: 'No se borró: ya no estaba.',
    },
    held: 'Una retención lo conserva: se borra solo cuando se levante.',
    leftOther: 'Aún no se borró.',
    showMore: (count) => `Mostrar ${count} más`,
    basis: (basis) => `Cerrada: ${basis}`,

    erase: (count) =>
      count === 0 ? 'Borrar …' : `Borrar ${plural(count, 'registro', 'registros')} …`,
    eraseSure: (count) => `¿Borrar ${plural(count, 'registro', 'registros')} para siempre?`,
    eraseHint:
      'Se van con todo su historial, y se avisa a los sistemas que siguen los cambios. Cuando un sistema los envíe de nuevo, se rechazan. Nada de aquí los recupera.',
    whatGoes: 'Qué se borra',
    whole: 'Los registros',
    past: 'Solo su pasado',
    pastHint:
      'Quedan como están ahora. Lo que contenían antes se borra para siempre, por ejemplo un número de tarjeta escrito en el campo equivocado. No se avisa a ningún sistema.',
    seals:
      'Un servicio al que pertenecen visitantes se queda, sin la persona: su fecha se conserva, su nombre pasa a ser “Erased” y lo demás se borra. Sus visitantes son registros aparte: marque también los de la persona.',
    pastDone: (count) =>
      `Se borró lo que ${plural(count, 'registro contenía', 'registros contenían')} antes.`,
    word: 'BORRAR',
    typeWord: (word) => `Escriba ${word} para confirmar`,
    eraseSubmit: 'Borrar para siempre',
    progress: (erased, all) => `${erased} de ${all} borrados`,
    done: (count) => plural(count, 'registro borrado.', 'registros borrados.'),
    someLeft: (count) =>
      `${plural(count, 'registro no se borró', 'registros no se borraron')}: abajo se dice por qué.`,

    close: 'Cerrar la solicitud',
    closeSure: '¿Cerrar esta solicitud?',
    closeHint: 'No se borra nada más por ella. Diga por qué, sin nombres: se guarda.',
    basisLabel: 'Con qué fundamento',
    basisPlaceholder: 'Por ejemplo «la ley pide conservar los arreglos un año»',
    closed: 'Cerrada.',

    lift: 'Permitir que se envíe de nuevo',
    liftSure: '¿Permitir que este registro se envíe de nuevo?',
    liftHint:
      'Para un registro que se borró por error. Su contenido sigue borrado: vuelve solo cuando el sistema que lo tenía lo envía otra vez.',
    lifted: 'Se puede enviar de nuevo.',

    told: {
      title: 'A quién se avisó',
      endpoint: 'Un destino de avisos',
      import: 'Una importación',
      statuses: {
        waiting: 'Todavía no',
        told: 'Avisado',
        not_told: 'Sin avisar: está en pausa',
        failed: 'Falló',
        removed: 'Ya no existe',
        acknowledged: 'Dice que ya está hecho',
      },
      again: 'Se sigue enviando',
      againHint: 'Se rechaza cada vez. Pida a estos sistemas que también eliminen a la persona.',
      times: (count) => plural(count, 'vez', 'veces'),
    },
    copy: {
      make: 'Copia',
      title: 'Lo que se guarda sobre usted',
      file: 'Archivo para programas',
      hint: 'Es solo de los registros marcados, para la persona que lo pide. Imprímalo, o guárdelo como PDF al imprimir. La auditoría registra que usted lo hizo.',
      outcomes: {
        created: 'Guardado por primera vez',
        updated: 'Modificado',
        deleted: 'Eliminado',
        restored: 'Restaurado',
      },
    },
    certificate: {
      open: 'Certificado',
      title: 'Certificado de borrado',
      file: 'Archivo sellado',
      of: 'Grupo',
      records: 'Registros borrados',
      noRecords: 'Ninguno.',
      on: (time) => `borrados: ${time}`,
      whatWent:
        'Con cada registro se fue su historial y lo demás que el servicio guardaba de él. Se rechaza cuando un sistema lo envía de nuevo.',
      left: 'Sin borrar',
      backups: 'Copias de seguridad anteriores',
      kinds: { continuous: 'Copia de seguridad continua', file: 'Archivo de copia de seguridad' },
      until: (day) => `puede tenerlos hasta el ${day}`,
      kept: 'puede tenerlos mientras el operador la conserve',
      issued: (time) => `Emitido: ${time}, sin nada de la persona.`,
      seal: 'Sello y clave',
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
    more: 'Retenciones anteriores',
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

export const audit: Translated<typeof audit_> = {
  says: {
    about:
      'Quién abrió, buscó, exportó o administró qué. Los cambios están en el historial de cada registro.',
    ofRecord: (what) => `Quién ha visto este registro: ${what}`,
    all: 'Mostrar todo',
    none: 'Aún no hay nada',
    noneHint: 'Lo que las personas miran aparece aquí en segundos.',
    older: 'Entradas anteriores',
    when: 'Cuándo',
    who: 'Quién',
    what: 'Qué',
    record: 'Registro',
    count: 'Veces',
    address: 'Desde',
    anybody: 'Cualquiera',
    anything: 'Cualquier cosa',
    nobody: 'No se sabe',
    since: 'Desde cuándo',
    sinceWords: {
      '': 'Desde el principio',
      '1d': 'El último día',
      '7d': 'Los últimos 7 días',
      '30d': 'Los últimos 30 días',
    },
    actions: {
      read: 'Abrió',
      history: 'Miró el historial',
      image: 'Miró una imagen',
      list: 'Listó',
      search: 'Buscó',
      export: 'Exportó',
      print: 'Imprimió',
      sign_in: 'Inició sesión',
      administer: 'Administró',
      erase: 'Borró',
      hold: 'Retuvo o levantó',
      command: 'Comando',
      reads: 'Leído por un programa',
    },
    kinds: {
      name: 'por un nombre',
      phone_number: 'por un teléfono',
      email_address: 'por un correo electrónico',
      unique_identifier: 'por un identificador',
    },
  },
};
