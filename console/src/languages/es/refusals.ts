/** Spanish refusals. */
import { refusalsIn } from '../refusals.ts';
import { words } from './records.ts';

const DATE = /\d{4}-\d\d-\d\d/g;
const tooLong = 'Escriba un texto más corto.';
const administrator = 'Pídaselo a un administrador.';
const nothingSaved = 'No se guardó nada.';
const reload = 'Vuelva a cargar la página; si se repite, avise al operador.';

export const { refusalText, sentenceText, refusedFile, targetLabel } = refusalsIn({
  codes: {
    parameter_missing: ({ label }) =>
      label === '' ? 'Falta un dato.' : `${label}: es obligatorio.`,
    parameter_unknown: `La página y el servicio no se entienden. ${reload}`,
    parameter_repeated: `La página y el servicio no se entienden. ${reload}`,
    parameters_conflict: ({ label, message }) => {
      const [then, first] = message.match(DATE) ?? [];
      return first === undefined
        ? 'Dos de los datos se contradicen. Deje solo uno.'
        : `${label}: ${then} es anterior a ${first}.`;
    },
    type_invalid: ({ label }) => `${label}: el valor no es del tipo que se espera.`,
    text_invalid: ({ label }) => `${label}: contiene un carácter que no se puede guardar.`,
    text_too_long: ({ label, message, numbers: [has, most] }) =>
      most === undefined
        ? `${label}: es demasiado largo. ${tooLong}`
        : `${label}: tiene ${has} ${message.includes('bytes') ? 'bytes' : 'caracteres'}; el máximo es ${most}.`,
    value_too_large: ({ label, numbers: [has, most] }) =>
      most === undefined
        ? `${label}: ocupa demasiado.`
        : `${label}: ocupa ${has} bytes; el máximo es ${most}.`,
    phone_number_invalid: ({ label }) =>
      `${label}: no es un número de teléfono. Escríbalo como (217) 555-0199, o con + y el código del país.`,
    datetime_invalid: ({ label }) => `${label}: no es una fecha con hora.`,
    datetime_offset_missing: ({ label }) => `${label}: falta la zona horaria.`,
    date_invalid: ({ label, message }) =>
      message.includes('future')
        ? `${label}: está en el futuro, y eso no puede ser; revise el año.`
        : message.includes('real')
          ? `${label}: esa fecha no existe; revise el mes y el día.`
          : `${label}: no es una fecha que se pueda usar aquí.`,
    value_invalid: ({ label, param, message, numbers }) =>
      param === 'email'
        ? 'El correo electrónico debe ser una dirección como director@example.com.'
        : param === 'role'
          ? message.includes('whole accounts')
            ? 'Un administrador trabaja para cuentas enteras: deje las sucursales sin elegir, o elija la función de editor.'
            : message.includes('password')
              ? 'Esta persona entra solo con contraseña, y los administradores necesitan una llave de acceso: pídale que cree una en «Mi cuenta», o invítela de nuevo como administrador.'
              : 'Elija una función.'
          : param === 'requests_a_second'
            ? `${label}: escriba un número de solicitudes por segundo o por minuto, de 1 por minuto a 1000000 por segundo.`
            : param === 'requests_at_once'
              ? `${label}: escriba un número entero de ${numbers[0]} a ${numbers[1]}.`
              : param === 'expires_at'
                ? `${label}: elija un día que aún no haya pasado.`
                : param === 'from'
                  ? `${label}: una de ellas no es una dirección ni una red. Escriba, por ejemplo, 203.0.113.7 o 203.0.113.0/24.`
                  : param === 'accounts'
                    ? 'Elija entre las cuentas que usted administra; una clave es solo para cuentas reales o solo para cuentas de prueba.'
                    : param === 'locations'
                      ? 'Elija sucursales de estas cuentas, o todas.'
                      : param === 'time_zone'
                        ? 'Esa zona horaria no existe. Escriba una como America/New_York.'
                        : label === ''
                          ? 'Un valor no se acepta.'
                          : `${label}: el valor no se acepta.`,
    number_out_of_range: ({ label, numbers: [least, most] }) =>
      least === undefined || most === undefined
        ? `${label}: escriba un número entero.`
        : `${label}: escriba un número entero de ${least} a ${most}.`,
    array_length_invalid: ({ label, numbers: [has, least, most] }) =>
      `${label}: hay ${has}; debe haber de ${least} a ${most}.`,
    image_url_invalid: ({ label }) =>
      `${label}: escriba la dirección completa, con https://, de una imagen JPG.`,
    image_unavailable:
      'No se puede mostrar la imagen: su dirección no responde con una imagen JPG. Corrija la dirección o intente de nuevo.',
    nesting_too_deep: 'El contenido tiene demasiados niveles, uno dentro de otro.',
    json_invalid: `El servicio no pudo leer lo que envió la página. ${reload}`,
    form_invalid: `El servicio no pudo leer lo que envió la página. ${reload}`,
    csv_invalid:
      'La tabla está mal formada: cada fila debe tener tantas celdas como el encabezado.',
    encoding_invalid: 'El archivo no está en UTF-8.',
    header_invalid: `La página y el servicio no se entienden. ${reload}`,
    body_unexpected: `La página y el servicio no se entienden. ${reload}`,
    request_malformed: 'La conexión terminó antes de que llegara todo. Intente de nuevo.',
    permission_denied: ({ message }) =>
      message.includes('email')
        ? 'Solo el operador del servicio puede invitar a esta persona. Pídaselo.'
        : message.includes('yourself')
          ? 'Usted no puede cambiar lo que usted mismo puede hacer. Pídaselo a otro administrador.'
          : message.includes('locations')
            ? `Usted tiene acceso solo a ciertas sucursales, y esto es para cuentas enteras. ${administrator}`
            : `Su función no le permite hacer esto. ${administrator}`,
    location_not_permitted: `Usted no tiene acceso a esa sucursal. ${administrator}`,
    path_unknown: 'No hay nada en esta dirección.',
    resource_missing: 'No existe, o usted no puede verlo.',
    version_missing: 'Esa versión ya no se conserva.',
    removal_missing: 'Ya se restauró, ya no se conserva, o usted no puede verlo.',
    position_unknown: 'Esa posición no es de esta lista de cambios.',
    changes_expired: 'Los cambios de entonces ya no se conservan.',
    changes_rewound: 'El servicio se restauró a un estado anterior. Vuelva a cargar la página.',
    change_damaged: 'Un cambio está dañado en el almacén. Avise al operador.',
    webhook_url_refused:
      'No se puede enviar un webhook a esa dirección. Escriba una dirección https pública, sin usuario ni contraseña.',
    webhooks_unavailable: 'Este servicio no tiene webhooks. Pregunte al operador.',
    webhook_endpoints_too_many: 'La cuenta ya tiene 20 destinos, que es el máximo. Elimine uno.',
    method_not_allowed: `La página y el servicio no se entienden. ${reload}`,
    record_exists: 'El registro ya existe. No se cambió nada.',
    record_present: 'El registro ya existe. No se cambió nada.',
    record_has_children: 'Otros registros pertenecen a este. Elimínelos primero.',
    record_held: 'Una retención conserva este registro: mientras dure, no se elimina.',
    holds_too_many: 'La cuenta ya tiene 1,000 retenciones: levante algunas.',
    children_too_many:
      'A este registro pertenecen más registros de los que se pueden eliminar a la vez. Elimine primero algunos.',
    pin_missing: 'Ya no está corregido por el personal: vuelva a cargar la página.',
    pins_too_many:
      'El personal ya corrigió demasiados datos de este registro: deje que el sistema decida sobre algunos.',
    store_set_back:
      'Los datos son de una copia anterior, y aún se borra de nuevo lo que ya se había borrado. Intente más tarde.',
    sync_ended: 'Esta sincronización ya terminó, o tiene más de 30 días.',
    sync_mismatch:
      'La sincronización es de otro sistema, de otro tipo de registro o de otro lugar.',
    sync_removes_too_much: 'Se eliminarían más registros de los permitidos. No se eliminó nada.',
    proposal_decided: 'Ya se decidió, o el sistema envió otro valor: vuelva a cargar la página.',
    record_erased:
      'Este registro se borró a petición de una persona o por su antigüedad: elimínelo también de su sistema.',
    past_retention:
      'Este registro supera el plazo de conservación: elimínelo también de su sistema.',
    matches_too_many: 'Coinciden demasiados registros: indique más datos.',
    erasure_closed: 'Este borrado está cerrado: empiece otro.',
    erasure_running: 'El borrado está en curso: espere a que termine.',
    erasures_too_many:
      'Usted ya tiene 100 borrados abiertos en esta cuenta: termine o cierre algunos.',
    erasures_exhausted:
      'Usted ya empezó 10,000 borrados en los últimos 24 meses: indique varias personas en uno solo, o pida a otra persona que lo empiece.',
    erasure_keyless: 'Nada se puede borrar sin SECRET_KEY_FILE: avise al operador.',
    preview_missing: 'Falta una vista previa del último día: pídala y mírela primero.',
    retention_rules_too_many: 'La cuenta ya tiene 100 reglas: elimine algunas.',
    record_changed: 'El registro cambió después de que usted lo abrió. Ábralo otra vez.',
    batch_refused: ({ numbers: [refused, all] }) =>
      refused === undefined || all === undefined
        ? nothingSaved
        : `Se rechazaron ${refused} de ${all} filas. ${nothingSaved}`,
    body_too_large: 'Lo que envía es demasiado grande.',
    rows_too_many: 'Hay demasiadas filas.',
    stream_refused: 'Se rechazaron 1,000 filas seguidas, y la importación se detuvo.',
    media_type_unsupported: `La página y el servicio no se entienden. ${reload}`,
    headers_too_large: `La página y el servicio no se entienden. ${reload}`,
    request_timeout: `No llegó todo a tiempo. ${nothingSaved} Intente de nuevo; si se repite, revise su conexión.`,
    rate_limited: ({ message }) =>
      message.includes('export')
        ? 'Ya hay tantas exportaciones en curso como se permiten. Espere a que termine una.'
        : message.includes('files')
          ? 'Ya hay varios archivos de su cuenta en espera. Intente de nuevo cuando termine uno.'
          : 'Son demasiadas solicitudes a la vez. Espere un momento e intente de nuevo.',
    memory_limited: `Son demasiadas solicitudes grandes a la vez. ${nothingSaved} Intente de nuevo en un momento.`,
    service_unavailable: ({ message }) =>
      message.includes('cannot tell')
        ? 'El servicio no sabe ahora si lo guardó. Envíelo otra vez: se hace una sola vez.'
        : message.includes('signing in')
          ? 'Demasiadas personas están entrando en este momento. Intente de nuevo en unos segundos.'
          : message.includes('not done after')
            ? 'La exportación tardó demasiado. Exporte menos registros, o pida al operador «ledgerstone export».'
            : `El servicio no está disponible en este momento. ${nothingSaved} Intente de nuevo.`,
    internal_error:
      'Algo salió mal en el servicio. Intente de nuevo; si se repite, dé al operador el identificador de la solicitud.',
    sign_in_needed: 'No ha iniciado sesión, o su sesión terminó. Inicie sesión.',
    sign_in_failed:
      'No coincide. Revise lo que escribió, o pida a un administrador una nueva invitación.',
    sign_in_limited:
      'Demasiados intentos fallidos. Espere antes de intentar de nuevo, o use una llave de acceso.',
    reauthentication_needed:
      'Confirme que es usted: para esto se necesita haber iniciado sesión en los últimos 10 minutos.',
    invitation_invalid: 'Esta invitación ya se usó, se reemplazó o venció. Pida una nueva.',
    password_refused: ({ message, numbers: [most, has] }) =>
      message.includes('guessed')
        ? 'Esta contraseña sería de las primeras que alguien adivina. Elija otra, por ejemplo cuatro o cinco palabras sin relación.'
        : has === undefined
          ? most === undefined
            ? 'No se puede usar esta contraseña.'
            : `Una contraseña puede tener como máximo ${most} caracteres.`
          : `Una contraseña debe tener al menos ${most} caracteres, y esta tiene ${has}. Cuatro o cinco palabras sin relación hacen una buena.`,
    passkey_needed:
      'Aquí usted entra con una llave de acceso o con inicio de sesión único, no con contraseña.',
    passkey_refused: 'No se pudo verificar la llave de acceso. Empiece de nuevo.',
    last_way_in: 'Es su única manera de entrar. Agregue antes otra llave de acceso.',
    sign_in_insecure: 'Solo se puede entrar por HTTPS, o en este mismo equipo en localhost.',
    single_sign_on_failed:
      'El proveedor del inicio de sesión único no responde. Intente de nuevo o entre de otra manera.',
    cross_site_refused: 'Esta solicitud no viene de la consola.',
  },
  sentences: [
    [
      /^(.+) is not a phone number: write it with.*$/,
      '$1: no es un número de teléfono; escríbalo con su código de área, como (217) 555-0123, o con + y el código del país.',
    ],
    [
      /^(.+) is not a date and time: write it such as.*$/,
      '$1: no es una fecha con hora; escríbala como 3/20/2027 2:30 PM.',
    ],
    [
      /^(.+) is not a time whose time zone is known: .*$/,
      '$1: no se conoce su zona horaria; escriba la fecha y la hora como 3/20/2027 2:30 PM.',
    ],
    [/^(.+) is not a date: write it such as.*$/, '$1: no es una fecha; escríbala como 3/20/2027.'],
    [/^(.+) is in the future, and it cannot be.*$/, '$1: está en el futuro; revise el año.'],
    [/^(.+) is not a real calendar date.*$/, '$1: esa fecha no existe; revise el mes y el día.'],
    [/^(.+) is empty, and every row needs it\.$/, '$1: está vacío, y cada fila lo necesita.'],
    [
      /^(.+): nothing in the row says which one it belongs to\.$/,
      'Nada en la fila dice a qué registro pertenece ($1).',
    ],
    [
      /^(.+): there is no .+ with this name or identifier\.$/,
      '$1: no existe ninguna sucursal con este nombre o identificador.',
    ],
    [
      /^(.+) is the name of several locations.*$/,
      '$1: varias sucursales se llaman así; elija una o escriba su identificador.',
    ],
    [
      /^(.+): there is no .+ with this identifier\.$/,
      '$1: no existe ningún registro con este identificador.',
    ],
    [
      /^(.+) has (\d+) characters; send at most (\d+)\.$/,
      '$1: tiene $2 caracteres; el máximo es $3.',
    ],
    [/^(.+) must be yes or no.*$/, '$1: escriba yes o no, true o false, 1 o 0.'],
    [/^(.+) must be a whole number.*$/, '$1: escriba un número entero.'],
    [/^(.+) must be (\w+), in exactly these letters\.$/, '$1: escriba exactamente $2.'],
    [/^(.+) is the error (\S+) of a formula\.$/, '$1: es el error $2 de una fórmula.'],
    [
      /^(.+) is a date as spreadsheet programs count it.*$/,
      '$1: es una fecha guardada como número; dé a la columna el formato de fecha.',
    ],
    [
      /^(.+) holds a time of day, and its field takes a date\.$/,
      '$1: lleva hora, y el campo es una fecha sin hora.',
    ],
    [/^(.+) holds a date, and its field needs a time of day too\.$/, '$1: le falta la hora.'],
    [
      /^(.+) holds a time of day that cannot be read.*$/,
      '$1: la hora no se entiende; escríbala como 14:30 o 2:30 PM.',
    ],
    [
      /^(.+) has no offset from UTC.*$/,
      '$1: no se conoce su zona horaria; elija una en «Zona horaria de las horas».',
    ],
    [
      /^(.+) is a time that (\S+) has twice or not at all.*$/,
      '$1: en $2 esa hora existe dos veces o ninguna, por el cambio de hora; escríbala con su diferencia, como -05:00.',
    ],
    [
      /^(.+) has (?:no|a) year of (?:fewer than )?four digits.*$/,
      '$1: escriba el año con cuatro cifras.',
    ],
    [
      /^(.+) is a date of which the order is not known.*$/,
      '$1: no se sabe si primero va el mes o el día; elíjalo en «Fechas como 03/04/2026».',
    ],
    [
      /^The row has (\d+) cells, and the header (\d+)\.$/,
      'La fila tiene $1 celdas, y el encabezado tiene $2.',
    ],
    [/^(.+) is empty\.$/, '$1 está vacío.'],
    [
      /^(.+) has no header: a row must name the columns\.$/,
      '$1 no tiene encabezado: una fila debe nombrar las columnas.',
    ],
    [/^(.+) has no sheet\.$/, '$1 no tiene ninguna hoja.'],
    [/^(.+) has no sheet (".+")\. It has (.+)\.$/, '$1 no tiene la hoja $2. Tiene $3.'],
    [/^(.+) cannot be read as XLSX: .*$/, '$1 no se puede leer como libro de Excel.'],
    [
      /^(.+) has no column for (.+), which every row needs: .*$/,
      '$1 no tiene columna para $2, que cada fila necesita: elija una columna, o un valor para todas las filas.',
    ],
    [
      /^The value of (.+) for all rows names (\d+) columns, .* at most (\d+)\.$/,
      'El valor de $1 para todas las filas nombra $2 columnas, y puede nombrar como máximo $3.',
    ],
    [
      /^(.+) has no column that says to which .+ each row belongs: .*$/,
      '$1 no tiene columna que diga a qué pertenece cada fila: elija una, o elija en «Todas las filas pertenecen a».',
    ],
    [
      /^(.+) has a column for (.+), and .* gives it as well.*$/,
      '$1 tiene una columna para $2, que también se eligió para todas las filas: omita una de las dos.',
    ],
    [
      /^The columns (".+") and (".+") are both for (.+): .*$/,
      'Las columnas $1 y $2 son ambas para $3: omita una de ellas.',
    ],
    [
      /^(.+) has dates such as 03\/04\/2026 \(row (\d+)\).*$/,
      '$1 tiene fechas como 03/04/2026 (fila $2), y nada muestra si primero va el mes o el día: elíjalo en «Fechas como 03/04/2026».',
    ],
    [
      /^(.+) writes the month first in row (\d+) and the day first in row (\d+).*$/,
      '$1 escribe primero el mes en la fila $2 y primero el día en la fila $3: elija cuál vale en «Fechas como 03/04/2026».',
    ],
    [
      /^(.+) has times without an offset from UTC \(row (\d+)\).*$/,
      '$1 tiene horas sin zona (fila $2): elíjala en «Zona horaria de las horas».',
    ],
    [
      /^The log of changes no longer goes back to the start of this import.*$/,
      'Los cambios de entonces ya no se conservan: esta importación ya no se puede deshacer.',
    ],
    [/^backups, copies.*$/, 'copias de seguridad, copias e instantáneas anteriores'],
    [
      /^a restore of an older backup.*$/,
      'una restauración de una copia anterior, que trae de vuelta las fichas: el diario de borrados está solo en la base de datos',
    ],
    [
      /^exports, imported.*$/,
      'exportaciones, archivos importados, listas impresas, y lo que copiaron otros sistemas y personas',
    ],
    [/^logs of proxies.*$/, 'registros de proxies, que contienen direcciones de solicitudes'],
    [
      /^images of mail.*$/,
      'imágenes de respuestas por correo, que están en los servidores de quienes las enviaron',
    ],
    [/^core dumps.*$/, 'volcados de memoria y memoria del servicio en disco'],
    [/^unused parts.*$/, 'partes sin uso del archivo SQLite, hasta que se reescriba'],
    [
      /^dead rows.*$/,
      'filas muertas y estadísticas de PostgreSQL, hasta que las limpie y use el espacio de nuevo',
    ],
    [/^the write-ahead.*$/, 'el registro de escritura de PostgreSQL y su archivo'],
    [/^standbys.*$/, 'réplicas de PostgreSQL, hasta que se pongan al día'],
    [
      /^the log of the PostgreSQL.*$/,
      'el registro del servidor PostgreSQL, que puede contener valores',
    ],
    [/^the sheet (.+)$/, 'la hoja $1'],
    [/^header in row (\d+)$/, 'encabezado en la fila $1'],
    [/^commas$/, 'comas'],
    [/^semicolons$/, 'punto y coma'],
    [/^tabs$/, 'tabuladores'],
    [/^vertical bars$/, 'barras verticales'],
  ],
  targets: {
    identifier: 'identificador',
    inCents: '(en centavos)',
    ownIdentifier: 'identificador de Ledgerstone',
  },
  labels: words.labels,
});
