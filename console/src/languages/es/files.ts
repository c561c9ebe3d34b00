/** The Spanish texts of imports, exports, feeds and webhooks; `page.ts` has the glossary. */
import { locale } from '../../locale.ts';
import type * as exports_ from '../../screens/exports/texts.ts';
import type * as feeds_ from '../../screens/feeds/texts.ts';
import type * as imports_ from '../../screens/imports/texts.ts';
import type * as webhooks_ from '../../screens/webhooks/texts.ts';
import type { Translated } from '../languages.ts';
import { plural } from './page.ts';

const number = (count: number): string => count.toLocaleString(locale);
const counted = (count: number, one: string, many: string): string =>
  `${number(count)} ${count === 1 ? one : many}`;
const records = (count: number): string => counted(count, 'registro', 'registros');
const rows = (count: number): string => counted(count, 'fila', 'filas');
const size = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${(bytes / 1_000_000).toLocaleString(locale, { maximumFractionDigits: 1 })} MB`;

export const exports: Translated<typeof exports_> = {
  says: {
    title: 'Exportar',
    about: 'Descargue registros como archivos. Importarlos de nuevo no cambia nada.',
    what: 'Qué exportar',
    archive: 'Un archivo por cada tipo, en un solo ZIP, todos tal como están en un mismo momento.',
    only: 'Solo los que coinciden',
    format: 'Formato',
    formats: [
      ['xlsx', 'Libro de Excel', 'para leer y trabajar; cada celda es texto'],
      [
        'spreadsheet_csv',
        'CSV para hojas de cálculo',
        'el texto que se ejecutaría como fórmula empieza con un apóstrofo',
      ],
      [
        'csv',
        'CSV para programas',
        'exactamente lo que está guardado: no lo abra en una hoja de cálculo',
      ],
      ['ndjson', 'NDJSON', 'para programas: una línea de JSON por registro'],
    ],
    submit: 'Exportar',
    starting: 'Comenzando …',
    so_far: (bytes: number) => `${size(bytes)} hasta ahora`,
    done: (count, bytes, name) =>
      `${count === undefined ? '' : `${records(count)} en `}${name} (${size(bytes)}).`,
    stays: 'Continúa mientras usted ve otras pantallas.',
    ended:
      'La conexión terminó antes de completar la exportación. No se guardó nada; intente de nuevo.',
    none: 'Elija qué exportar.',
  },
};

export const imports: Translated<typeof imports_> = {
  says: {
    title: 'Importar',
    about: 'Importe una hoja de cálculo: cada fila se vuelve un registro o cambia el que nombra.',
    what: 'Qué son las filas',
    account: 'Cuenta',
    file: 'Archivo',
    choose: 'Elija un archivo',
    drop: 'o suéltelo aquí: CSV o un libro de Excel, de hasta 32 MB.',
    another: 'Elegir otro archivo',
    reading: 'Leyendo el archivo …',
    tooLarge: (name, bytes) =>
      `${name} tiene ${Math.round(bytes / 1_048_576)} MB, y aquí el límite son 32 MB. Divídalo, o pida al operador «ledgerstone import».`,
    dead: (name) =>
      `${name} se cambió o se quitó después de que usted lo eligiera. Elíjalo otra vez.`,
    questions: {
      sheet: '¿Qué hoja quiere importar?',
      delimiter: '¿Qué separa las celdas?',
    },
    delimiters: {
      ',': 'Comas',
      ';': 'Punto y coma',
      '|': 'Barras verticales',
      '\t': 'Tabuladores',
    },
    go: 'Continuar',
    leave: 'La importación se detiene si cierra esta página.',
    readAs: (read) => `Se leyó como: ${read}.`,
    sheetNamed: (name) => `la hoja ${name}`,
    headerIn: (row) => `encabezado en la fila ${row}`,
    columns: 'Columnas',
    column: 'Columna del archivo',
    samples: 'Primeras filas',
    field: 'Va a',
    leaveOut: 'Omitir',
    template: 'Descargar una plantilla',
    templateHint:
      'Un archivo con todas las columnas que se entienden. Sus propias columnas también sirven.',
    headerRow: 'Los nombres de las columnas están en',
    headerRowOf: (position, text) => `Fila ${position}: ${text}`,
    passedOver: 'Se omite: su nombre empieza con _',
    unsaid: 'No se entiende: elija adónde va, u omítala.',
    joined: 'La fecha y la hora se unen.',
    needed: (fields) => `A cada fila todavía le falta: ${fields}.`,
    belongs: 'Todas las filas pertenecen a',
    anyParent: (singular) => `${singular}: por columna`,
    findParent: (singular) => `${singular}: buscar por nombre`,
    noParent: (text) => `Nada se llama ${text}.`,
    parentNeeded: (singular) => `${singular} (elija abajo uno para todas las filas, o una columna)`,
    how: 'Cómo están escritos los valores',
    dates: 'Fechas como 03/04/2026',
    datesAs: {
      '': 'Deducir del archivo',
      mdy: 'Primero el mes: 4 de marzo',
      dmy: 'Primero el día: 3 de abril',
      ymd: 'Primero el año',
    },
    forAll: 'Lo mismo en cada fila',
    addValue: 'Añadir un valor',
    chooseField: 'Elija …',
    braces: (column) =>
      `Una columna entre llaves representa lo que cada fila tiene en ella: {${column}}.`,
    made: (label, column) => `${label}: ${column}`,
    both: (field) => `Dos columnas son para ${field}: omita una de ellas.`,
    zone: 'Zona horaria de las horas',
    ownZone: 'El reloj de cada sucursal',
    phones: 'Diez dígitos son un teléfono de EE. UU.',
    empty: 'Las celdas vacías eliminan el valor guardado',
    mode: 'Registros',
    modes: {
      '': 'Crear y modificar',
      create_only: 'Solo crear nuevos',
      update_only: 'Solo modificar los existentes',
    },
    check: 'Comprobar',
    checking: 'Comprobando …',
    wouldBe: 'Lo que haría la importación',
    done: 'Listo',
    stopped:
      'Detenida. Importe el archivo otra vez para continuar: las filas que ya entraron quedan como están.',
    created: (count) => counted(count, 'nuevo', 'nuevos'),
    updated: (count) => counted(count, 'modificado', 'modificados'),
    unchanged: (count) => `${number(count)} sin cambios`,
    failed: (count) => counted(count, 'rechazado', 'rechazados'),
    refused: 'Filas rechazadas',
    refusedOf: (name) => `Filas rechazadas de ${name}`,
    line: 'Fila',
    why: 'Motivo',
    more: (count) => `y ${rows(count)} más, en el archivo.`,
    cut: (count) =>
      `${rows(count)} de las rechazadas no están en el archivo: son demasiadas. Corrija lo que contiene e impórtelo; luego compruebe otra vez su archivo completo para el resto.`,
    places: (what) => `${what}: ¿cuál es?`,
    placeHint: 'Estos nombres no son de ninguna, o son de varias.',
    refuse: 'Ninguna: rechazar estas filas',
    checkAgain: 'Comprobar de nuevo',
    download: 'Descargar las filas rechazadas',
    downloadHint: 'Corríjalas en el archivo descargado y luego importe ese archivo.',
    nothing: 'No cambiaría nada.',
    import: (count) => `Importar ${rows(count)}`,
    importing: (done, all) => `${number(done)} de ${number(all)} filas`,
    twice: (count, row, earlier) =>
      `${rows(count)} ${count === 1 ? 'nombra' : 'nombran'} el mismo registro que una fila anterior (la fila ${row}, el de la fila ${earlier}). La fila posterior modifica el registro.`,
    back: 'Cambiar las columnas',
    again: 'Importar otro archivo',
    undo: 'Deshacer',
    undoTitle: '¿Deshacer esta importación?',
    undoing: 'Deshaciendo …',
    undoWould: (removed, restored) =>
      `Se ${[
        ...(removed > 0 || restored === 0
          ? [`${removed === 1 ? 'elimina' : 'eliminan'} ${records(removed)} que creó`]
          : []),
        ...(restored > 0
          ? [`${restored === 1 ? 'restaura' : 'restauran'} ${records(restored)} que modificó`]
          : []),
      ].join(' y se ')}.`,
    undoKept: (count) =>
      count === 1
        ? '1 registro se modificó después y queda como está.'
        : `${number(count)} registros se modificaron después y quedan como están.`,
    undone: 'La importación se deshizo.',
    earlier: 'Importaciones anteriores',
    when: 'Cuándo',
    outcome: 'Resultado',
    statuses: {
      running: 'Sin terminar',
      finished: 'Terminada',
      undoing: 'Deshaciéndose',
      undone: 'Deshecha',
    },
  },
};

export const feeds: Translated<typeof feeds_> = {
  says: {
    about: 'Lo que cada sistema ha enviado en las últimas 24 horas, por sucursal.',
    none: 'Ningún sistema ha enviado nada esta semana',
    noneHint: 'En cuanto lleguen registros con una clave, su sistema aparece aquí.',
    key: 'Clave',
    noLocation: 'Sin sucursal',
    unplaced: 'Sucursal desconocida: se rechazó antes de leerla',
    region: 'Región',
    allRegions: 'Todas las regiones',
    last: 'Último registro',
    hours: '24 horas',
    records: (count) => `${plural(count, 'registro', 'registros')} en 24 horas`,
    created: 'Creados',
    updated: 'Modificados',
    unchanged: 'Sin cambios',
    refused: 'Rechazados',
    refusals: 'Rechazos de las últimas 24 horas',
    more: 'Solo se cuentan las 1,000 solicitudes más recientes.',
    code: 'Código',
    field: 'Campo',
    count: 'Veces',
    first: 'Primera vez',
    lastly: 'Última vez',
    backup: (ago) => `La última copia de seguridad comprobada es de ${ago}.`,
    backupOld: 'Pregunte al operador por qué no hay una más reciente.',
    noBackup:
      'Todavía no se ha comprobado ninguna copia de seguridad. Pregunte al operador si existe una.',
    aboutBackups: 'Sobre las copias de seguridad',
    expected: {
      title: 'Lo que se espera',
      about: 'Aprendido de seis semanas, según el reloj de cada sucursal.',
      source: 'Sistema',
      state: 'Estado',
      states: {
        new: 'Nada todavía',
        on_time: 'A tiempo',
        late: 'Con retraso',
        silent: 'En silencio',
        back: 'De vuelta',
        failing: 'Todo rechazado',
      },
      hours: 'Se espera',
      every: (hours, every) =>
        `${hours}, ${every === 'hour' ? 'al menos cada hora' : 'una vez al día'}`,
      why: 'Motivo',
      learned: (kept, days) => `Llegó en ${kept} de ${days} de estos días`,
      statuses: { confirmed: 'Fijado por una persona', off: 'Desactivado' },
      decide: 'Decidir',
      confirm: 'Confirmar',
      off: 'Desactivar',
      change: 'Cambiar',
      often: 'Con qué frecuencia',
      everies: { hour: 'En cada una de estas horas', day: 'Una vez en cada uno de estos días' },
      silentAfter: 'En silencio después de',
      silentHint: 'El número de estas horas o de estos días sin un registro.',
      closed: 'Días de cierre',
      closedHint: 'Por ejemplo, 12-25 para cada año o 2026-11-27 para uno.',
      closedThen: 'Nada',
      hourOf: (day, which) => `${day}, ${which === 'from' ? 'desde' : 'hasta'}`,
      wrongHours: 'Cada día debe empezar antes de terminar.',
    },
    syncs: {
      title: 'Sincronizaciones',
      about: 'Sistemas que envían todo lo que tienen. Lo que uno ya no envía se elimina.',
      all: 'Mostrar todas',
      lastOnly: 'Mostrar solo la última de cada uno',
      system: 'Sistema',
      what: 'Qué',
      everywhere: 'Todas las sucursales',
      when: 'Inicio',
      outcome: 'Resultado',
      statuses: {
        open: 'En curso',
        expired: 'No terminó',
        finishing: 'Eliminando',
        finished: 'Terminada',
        stopped: 'Detenida',
        replaced: 'No terminó',
        undoing: 'Restaurando',
        undone: 'Deshecha',
      },
      nothingRemoved: 'No se eliminó nada.',
      seen: 'Enviados',
      removed: 'Eliminados',
      left: 'Se quedan',
      details: 'Detalles',
      removedWere: (amounts) => `Eliminados. ${amounts}`,
      leftWere: (count) =>
        `${plural(count, 'registro no se envió y se queda', 'registros no se enviaron y se quedan')}`,
      reasons: {
        changed_by_other: 'Otro sistema o una persona lo modificó por última vez.',
        children_of_other: 'Tiene registros de otros.',
        changed_since: 'Cambió después de empezar la sincronización.',
        children_too_many: 'Tiene demasiados registros para eliminarlos a la vez.',
        pinned: 'El personal lo corrigió.',
        held: 'Una retención lo conserva.',
        refused: 'No se puede eliminar ahora.',
      },
      more: (count) => `y ${number(count)} más`,
      undo: 'Restaurar lo eliminado',
      undoing: 'Restaurando …',
      undone: (count) => `${plural(count, 'registro restaurado', 'registros restaurados')}.`,
    },
    selfTests: {
      title: 'Autopruebas de los programas de socios',
      about: 'Sobre las autopruebas',
      passed: (passed, all) => `${passed} de ${all} comprobaciones superadas`,
      statuses: { open: 'Abierta', passed: 'Superada', ended: 'Terminada' },
      checks: { passed: 'Superada', failed: 'Fallida', missing: 'Aún no vista' },
    },
  },
};

export const webhooks: Translated<typeof webhooks_> = {
  says: {
    title: 'Webhooks',
    about: 'Sistemas que reciben un aviso cuando cambian registros.',
    none: 'Todavía no hay destinos',
    noneHint: 'Agregue la dirección de un sistema y se le avisará cuando cambien registros.',
    add: 'Agregar un destino',
    change: 'Configuración',
    account: 'Cuenta',
    urlHint: 'Una dirección https. Recibe lo que las familias han dicho: revísela dos veces.',
    description: 'Nombre',
    descriptionPlaceholder: 'Por ejemplo «Gestión de casos»',
    of: 'Avisar de cambios en',
    ofAll: 'Todos los registros',
    ofSome: 'Solo',
    ofCustom: (names) => `Como está: ${names}`,
    sends: 'Qué se envía',
    sendsWays: {
      thin: 'Cada cambio',
      full: 'Cada cambio, con el registro completo',
    },
    changed: 'La configuración se guardó.',
    enableSure: '¿Activar este destino?',
    enableHint:
      'La clave con la que se creó ya no es válida. A partir de ahora recibe todo lo de la cuenta, sin los límites que tenía esa clave.',
    resendFailed: 'Enviar estos de nuevo',
    resentSome: (count) =>
      count === 1
        ? 'Se está enviando de nuevo 1 aviso.'
        : `Se están enviando de nuevo ${count.toLocaleString(locale)} avisos.`,
    url: 'Dirección',
    what: 'Se le avisa de',
    status: 'Estado',
    statuses: {
      enabled: 'Activo',
      paused: 'En pausa',
      failing: 'Con fallas',
      disabled: 'Desactivado',
    },
    reasons: {
      key_ended: 'Su clave dejó de valer.',
      gone: 'El receptor respondió que ya no existe.',
      failing_too_long: 'No llegó nada en cinco días.',
      changes_expired: 'Los cambios que faltaba enviarle ya no se conservan.',
      changes_rewound: 'Los registros se restauraron a un estado anterior.',
      restored: 'Los registros se restauraron de una copia de seguridad.',
    },
    failing: (time) => `Con fallas desde: ${time}`,
    everything: 'todo',
    back: 'Todos los destinos',
    pause: 'Pausar',
    enable: 'Activar',
    test: 'Enviar una prueba',
    delivered: (ms) => `La prueba llegó, en ${ms} ms.`,
    notDelivered: (why) => `La prueba no llegó: ${why}`,
    rotate: 'Nuevo secreto',
    rotateSure: '¿Crear un secreto nuevo?',
    rotateHint:
      'Durante un día, los avisos se firman con ambos secretos, para que el receptor pueda cambiar.',
    secret: 'El secreto del destino',
    secretHint: 'Déselo ahora al receptor: no se vuelve a mostrar.',
    replay: 'Enviar de nuevo …',
    replaySure: 'Enviar de nuevo todo desde',
    replayHint:
      'El receptor recibe otra vez cada cambio, en orden, con el mismo identificador que antes.',
    replayed: 'Se está enviando de nuevo.',
    remove: 'Eliminar',
    removeSure: '¿Eliminar este destino?',
    removeHint: 'No se le envía nada más, y se olvidan sus envíos.',
    removed: 'El destino se eliminó.',
    deliveries: 'Envíos',
    noDeliveries: 'Todavía no se ha enviado nada',
    all: 'Todos',
    filter: 'Mostrar',
    outcomes: { pending: 'Pendiente', delivered: 'Entregado', failed: 'Fallido' },
    type: 'Aviso',
    record: 'Registro',
    when: 'Cuándo',
    why: 'Respuesta',
    tries: (count) => plural(count, 'intento', 'intentos'),
    next: 'Próximo intento:',
    resend: 'Enviar de nuevo',
    resent: 'Se está enviando de nuevo.',
    more: 'Los envíos anteriores se conservan 30 días y se pueden leer por la API.',
  },
};
