/**
 * Spanish of funeral homes in the United States and Mexico; people are addressed as «usted».
 *
 * account: cuenta · API key: clave de API · arrangement: arreglo · deceased: difunto, difunta ·
 * endpoint: destino · feed: sistema · location: sucursal · mail reply: respuesta por correo ·
 * next of kin: familiar · operator: operador · passkey: llave de acceso · pre-planning: planificación anticipada ·
 * record: registro · refused: rechazado · remove: eliminar · request: solicitud · restore: restaurar ·
 * service: servicio · staff: personal · visitor: visitante
 */
import { locale } from '../../locale.ts';
import type { texts as english } from '../../texts.ts';
import type { Translated } from '../languages.ts';

export const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

export const texts: Translated<typeof english> = {
  product: 'Ledgerstone',
  skip: 'Ir al contenido',
  menu: 'Menú',
  language: 'Idioma',
  testData: 'Datos de prueba. Aquí no hay ninguna familia real.',
  bothData: 'Está viendo datos de prueba y datos reales.',
  loading: 'Cargando …',
  close: 'Cerrar',
  done: 'Listo',
  cancel: 'Cancelar',
  save: 'Guardar',
  saving: 'Guardando …',
  saved: 'Guardado.',
  back: 'Atrás',
  undo: 'Deshacer',
  discard: {
    sure: '¿Descartar lo que escribió?',
    keep: 'Seguir editando',
    submit: 'Descartar',
  },
  copy: 'Copiar',
  copied: 'Copiado',
  none: 'Ninguno',
  yes: 'Sí',
  no: 'No',
  unknown: 'Se desconoce',
  never: 'nunca',
  status: 'Estado',
  who: {
    unnamed: { person: 'un colega', key: 'una clave sin nombre' },
    former: { person: 'un antiguo colega', key: 'una clave que se eliminó' },
    import: 'una importación',
    importOf: (file) => `la importación de ${file}`,
    sync: 'una sincronización',
    syncOf: (source) => `una sincronización de ${source}`,
    operator: 'el operador',
  },
  locations: (count) => plural(count, 'sucursal', 'sucursales'),
  required: 'obligatorio',
  allLocations: 'Todas las sucursales',
  location: 'Sucursal',
  find: 'Buscar',
  timesIn: (zone) => `Horario: ${zone}.`,
  times: {
    zone: (city) => `hora de ${city}`,
    on: (day) => `el ${day}`,
    at: (day, clock) => `${day} a ${/^1\D/.test(clock) ? 'la' : 'las'} ${clock}`,
    ofHomes: 'Cada hora es la de su sucursal.',
    unset: (accounts) => `${accounts} no tiene zona horaria, por lo que las horas están en UTC.`,
    use: (zone) => `Usar la ${zone}`,
    choose: 'Zona horaria',
    later: 'Ahora no',
    ask: 'Un administrador puede definirla.',
  },

  nav: {
    label: 'Pantallas',
    today: 'Hoy',
    find: 'Buscar',
    import: 'Importar',
    export: 'Exportar',
    webhooks: 'Webhooks',
    records: 'Registros',
    proposals: 'Propuestas',
    removed: 'Eliminados',
    more: 'Más',
    integration: 'Integración',
    people: 'Personas',
    account: 'Mi cuenta',
    settingsOf: (account) => `Zona horaria de ${account}`,
    feeds: 'Sistemas',
    requests: 'Solicitudes',
    keys: 'Claves de API',
    staff: 'Personal',
    privacy: 'Privacidad',
    holds: 'Retenciones',
    retention: 'Plazos',
    audit: 'Auditoría',
    theme: 'Apariencia',
    themes: { system: 'Como el sistema', light: 'Clara', dark: 'Oscura' },
    signOut: 'Cerrar sesión',
    shortcuts: 'Atajos de teclado',
    manual: 'Manual (en inglés)',
  },

  failure: {
    title: 'No se pudo cargar.',
    again: 'Intentar de nuevo',
    againIn: (seconds) => `Nuevo intento en ${seconds} s`,
    request: 'Solicitud',
    copyRequest: 'Copiar el identificador de la solicitud',
    unreachable:
      'No se puede conectar con el servicio. Revise la conexión; no se ha perdido nada de lo que escribió.',
    unexpected:
      'Algo salió mal en esta página. Vuelva a cargarla; si no se resuelve, avise al operador.',
    forbidden:
      'Usted no puede usar esta pantalla. Si la necesita, pídaselo a un administrador o al operador.',
    missing: 'No hay nada en esta dirección.',
    missingHint: 'El enlace puede ser antiguo, o el registro puede pertenecer a otra sucursal.',
  },

  signIn: {
    title: 'Iniciar sesión',
    lead: 'los registros de su grupo',
    again: 'Su sesión terminó. Inicie sesión otra vez para continuar; lo que escribió sigue aquí.',
    confirm:
      'Confirme que es usted. Para esto se necesita haber iniciado sesión en los últimos diez minutos.',
    passkey: 'Entrar con una llave de acceso',
    or: 'o',
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    confirmSubmit: 'Confirmar',
    sso: (name) => `Continuar con ${name}`,
    waitFor: (seconds) => `Intente de nuevo en ${seconds} s.`,
    lost: '¿Perdió su llave de acceso o su contraseña? Pida una nueva invitación a un administrador.',
    ssoFailed: 'El inicio de sesión único no funcionó. Intente de nuevo o entre de otra manera.',
    errors: {
      sign_in_failed:
        'No hay ninguna invitación para esa identidad. Pida una invitación a un administrador.',
      single_sign_on_failed:
        'El proveedor del inicio de sesión único no responde. Intente de nuevo o entre de otra manera.',
      reauthentication_needed:
        'El proveedor del inicio de sesión único no confirmó que usted acaba de iniciar sesión allí. Confirme con una llave de acceso o una contraseña.',
    },
    passkeyFailed: 'No se usó la llave de acceso. Intente de nuevo o entre de otra manera.',
  },

  today: {
    servicesToday: 'Servicios de hoy',
    servicesTomorrow: 'Servicios de mañana',
    replies: 'Nuevas respuestas por correo',
    arrangements: 'Nuevos arreglos',
    interested: 'Visitantes interesados en la planificación anticipada',
    visitors: (count) => (count === '1' ? '1 visitante' : `${count} visitantes`),
    silent: (count) =>
      count === '1'
        ? '1 sistema no envía nada: ver cuál'
        : `${count} sistemas no envían nada: ver cuáles`,
    proposals: (count) => `Propuestas por decidir: ${count}`,
    print: 'Imprimir',
    nothing: 'Un día tranquilo',
    nothingHint: 'No hay servicios hoy ni mañana, ni nada nuevo en la última semana.',
  },

  search: {
    title: 'Buscar',
    placeholder: 'Nombre, últimos dígitos de un teléfono, correo electrónico o identificador',
    hint: 'Basta el comienzo de un nombre: «jua per» encuentra a Juana Pérez. De un teléfono, escriba los últimos cuatro dígitos.',
    nothing: (text) => `No se encontró nada para «${text}»`,
    nothingHint:
      'Escriba menos letras del nombre, o solo los últimos cuatro dígitos de un teléfono. No se buscan localidades, calles ni notas.',
    tooMany: 'Demasiados nombres empiezan así para buscar en todos. Escriba más letras del nombre.',
    nearly: 'Se escriben casi igual',
    building:
      'Se está creando el índice de búsqueda: por un momento pueden faltar registros antiguos.',
    more: (what) => `Más ${what}`,
  },

  cards: {
    number: (number, of) => `${number} de ${of}`,
    zoom: 'Ampliar',
    turn: 'Girar',
    previous: 'Anterior (k)',
    next: 'Siguiente (j)',
    previousImage: 'Imagen anterior (←)',
    nextImage: 'Imagen siguiente (→)',
    open: 'Abrir el registro',
    unread: 'No se pudo leer',
    save: 'Guardar y seguir',
    saved: 'Guardado.',
    loading: 'Cargando la imagen …',
  },

  list: {
    newer: 'Más recientes',
    older: 'Más antiguos',
    previous: 'Anterior',
    next: 'Siguiente',
    shown: (count, more, total) => {
      if (total !== undefined)
        return `${count} a la vista, de ${total.more ? 'más de ' : ''}${total.count.toLocaleString(locale)}`;
      return more ? `${count} a la vista, y hay más` : `${count} a la vista`;
    },
    fresh: (count, what) =>
      `${count === '1' ? 'Ha llegado' : 'Han llegado'} ${count} ${what}: mostrar`,
    changed: 'Esta lista ha cambiado: mostrar',
    nothingYet: (what) => `Todavía no hay ${what}`,
    nothingYetHint: 'Aparecen aquí en cuanto llegan.',
    nothingMatches: 'Nada coincide',
    nothingMatchesHint: 'Quite un filtro para ver más.',
    clear: 'Quitar todos los filtros',
    filter: 'Filtrar',
    filterBy: (label) => `Filtrar por: ${label}`,
    without: (label) => `Quitar el filtro: ${label}`,
    apply: 'Aplicar',
    from: 'Desde',
    until: 'Hasta',
    order: 'Orden',
    newest: 'Los más nuevos primero',
    moreFilters: 'Más',
    earliest: (label) => `${label}: antiguos primero`,
    latest: (label) => `${label}: recientes primero`,
    aToZ: 'De la A a la Z',
    zToA: 'De la Z a la A',
    cards: 'Tarjetas',
    table: 'Tabla',
    print: 'Imprimir',
    csv: 'Descargar CSV',
    export: 'Exportar …',
    refresh: 'Volver a cargar',
    takeAway: 'Imprimir o descargar',
    cut: (count) =>
      `Solo se incluyen los primeros ${count}. Para obtener el resto, ponga un filtro o pídalo al operador.`,
    since: (day) => `desde: ${day}`,
    before: (day) => `hasta: ${day}`,
    presets: {
      today: 'Hoy',
      tomorrow: 'Mañana',
      yesterday: 'Ayer',
      'last-7-days': 'Últimos 7 días',
      'last-30-days': 'Últimos 30 días',
      'next-7-days': 'Próximos 7 días',
      'from-today': 'Desde hoy',
    },
  },

  record: {
    edit: 'Editar',
    add: (what) => `Agregar ${what}`,
    editByKey: 'Editar (e)',
    remove: 'Eliminar',
    erase: 'Borrar para siempre',
    hold: 'Retener',
    seen: 'Quién ha visto esto',
    more: 'Más',
    created: 'Creado',
    changed: 'Modificado',
    by: (who) => `por ${who}`,
    identifiers: 'Identificadores',
    count: (shown, all) => (String(shown) === all ? all : `${shown} de ${all}`),
    identifier: 'Identificador',
    name: 'Nombre',
    unique: 'Identificador único',
    tabs: { fields: 'Registro', history: 'Historial', json: 'JSON', curl: 'curl' },
    seeAll: 'Ver todo',
    noneOf: (what) => `Todavía no hay ${what}.`,
    previous: 'Registro anterior (p)',
    next: 'Registro siguiente (n)',
    nothing: 'Sin datos',
    somebody: 'Alguien',
    changedBy: (who) => `${who} modificó este registro: mostrar`,
    removedBy: (who) => `${who} eliminó este registro: mostrar`,
    removed: 'Este registro se eliminó.',
    gone: 'Ya no existe, o usted no puede verlo.',
    images: 'Imágenes',
    image: (number, of) => `Imagen ${number} de ${of}`,
    noImage: 'No se puede mostrar esta imagen.',
  },

  removal: {
    done: (count) => (count === 1 ? 'Se eliminó 1 registro.' : `Se eliminaron ${count} registros.`),
  },

  requests: {
    about: 'Solicitudes rechazadas, con cada falla. Se conservan 30 días.',
    none: 'No se ha rechazado nada',
    noneHint: 'Aquí aparecen las solicitudes rechazadas, con sus fallas.',
    filters: {
      by: 'Enviada por',
      key: 'Clave o persona',
      identifier: 'Identificador del registro',
      status: 'Estado',
      code: 'Código',
      path: 'La ruta empieza con',
      since: 'Cuándo',
      request_id: 'Solicitud',
    },
    examples: {
      identifier: 'V4994',
      status: '400',
      code: 'phone_number_invalid',
      path: '/v1/events',
    },
    byWords: { '': 'Sistemas', staff: 'Personal, en esta consola', all: 'Todos' },
    sinceWords: {
      '': 'Los 30 días',
      '1h': 'La última hora',
      '24h': 'Las últimas 24 horas',
      '7d': 'Los últimos 7 días',
    },
    anyKey: 'Cualquiera',
    authentication: (why) => `No se aceptó la clave: ${why}`,
    anyName: 'nombres desconocidos',
    like: (name) => `desconocido, parecido a ${name}`,
    from: (address) => `desde ${address}`,
    rows: (rows, lines) => `en ${lines ? 'la línea' : 'el elemento'} ${rows.join(', ')}`,
  },

  staff: {
    accounts: 'Cuentas',
    locations: 'Sucursales',
    allLocations: 'Todas las sucursales, y las que se agreguen después',
    onlyLocations: 'Solo estas sucursales',
    ofRegion: 'Las sucursales de una región, aunque cambie',
    region: 'Región',
    noLocation: 'ninguna sucursal la tiene, así que no ve nada',
    inRegion: (region, locations) => `${region}: ${locations}`,
  },

  shortcuts: {
    title: 'Atajos de teclado',
    on: 'Usar atajos de teclado',
    goTo: (screen) => `Ir a ${screen}`,
    list: [
      [['/'], 'Buscar'],
      [['Ctrl', 'K'], 'Buscar'],
      [['j'], 'Fila siguiente'],
      [['k'], 'Fila anterior'],
      [['Intro'], 'Abrir la fila'],
      [['e'], 'Editar el registro'],
      [['n'], 'Registro siguiente'],
      [['p'], 'Registro anterior'],
      [['?'], 'Esta ayuda'],
    ],
  },
};
