/** Spanish refusals. */
import { refusalsIn } from '../refusals.ts';
import { words } from './records.ts';

const mismatch =
  'La página y el servicio no se entienden. Vuelva a cargar la página; si se repite, avise al operador.';

export const { codes, refusalText, targetLabel } = refusalsIn({
  codes: {
    parameter_unknown: mismatch,
    parameter_repeated: mismatch,
    type_invalid: '{param}: el valor no es del tipo que se espera.',
    text_invalid: '{param}: contiene un carácter que no se puede guardar.',
    phone_number_invalid:
      '{param}: no es un número de teléfono. Escríbalo como (217) 555-0199, o con + y el código del país.',
    datetime_invalid: '{param}: no es una fecha con hora.',
    datetime_offset_missing: '{param}: falta la zona horaria.',
    image_url_invalid: '{param}: escriba la dirección completa, con https://, de una imagen JPG.',
    image_unavailable:
      'No se puede mostrar la imagen: su dirección no responde con una imagen JPG. Corrija la dirección o intente de nuevo.',
    nesting_too_deep: 'El contenido tiene demasiados niveles, uno dentro de otro.',
    json_invalid:
      'El servicio no pudo leer lo que envió la página. Vuelva a cargar la página; si se repite, avise al operador.',
    form_invalid:
      'El servicio no pudo leer lo que envió la página. Vuelva a cargar la página; si se repite, avise al operador.',
    csv_invalid:
      'La tabla está mal formada: cada fila debe tener tantas celdas como el encabezado.',
    encoding_invalid: 'El archivo no está en UTF-8.',
    header_invalid: mismatch,
    body_unexpected: mismatch,
    request_malformed: 'La conexión terminó antes de que llegara todo. Intente de nuevo.',
    location_not_permitted: 'Usted no tiene acceso a esa sucursal. Pídaselo a un administrador.',
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
    method_not_allowed: mismatch,
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
    body_too_large: 'Lo que envía es demasiado grande.',
    rows_too_many: 'Hay demasiadas filas.',
    stream_refused: 'Se rechazaron 1,000 filas seguidas, y la importación se detuvo.',
    media_type_unsupported: mismatch,
    headers_too_large: mismatch,
    request_timeout:
      'No llegó todo a tiempo. No se guardó nada. Intente de nuevo; si se repite, revise su conexión.',
    memory_limited:
      'Son demasiadas solicitudes grandes a la vez. No se guardó nada. Intente de nuevo en un momento.',
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
    passkey_needed:
      'Aquí usted entra con una llave de acceso o con inicio de sesión único, no con contraseña.',
    passkey_refused: 'No se pudo verificar la llave de acceso. Empiece de nuevo.',
    last_way_in: 'Es su única manera de entrar. Agregue antes otra llave de acceso.',
    sign_in_insecure: 'Solo se puede entrar por HTTPS, o en este mismo equipo en localhost.',
    single_sign_on_failed:
      'El proveedor del inicio de sesión único no responde. Intente de nuevo o entre de otra manera.',
    cross_site_refused: 'Esta solicitud no viene de la consola.',
    parameter_missing: '{param}: es obligatorio.',
    parameters_conflict: 'Dos de los datos se contradicen. Deje solo uno.',
    text_too_long: '{param}: tiene {has} {unit}; el máximo es {most}.',
    value_too_large: '{param}: ocupa {has} bytes; el máximo es {most}.',
    date_invalid: '{param}: no es una fecha que se pueda usar aquí.',
    value_invalid: '{param}: el valor no se acepta.',
    number_out_of_range: '{param}: escriba un número de {least} a {most}.',
    array_length_invalid: '{param}: hay {has}; debe haber de {least} a {most}.',
    permission_denied: 'Su función no le permite hacer esto. Pídaselo a un administrador.',
    batch_refused: 'Se rechazaron {refused} de {rows} filas. No se guardó nada.',
    rate_limited:
      'Puede enviar {most} solicitudes por {per}. Espere {seconds} s e intente de nuevo.',
    service_unavailable:
      'El servicio no está disponible en este momento. No se guardó nada. Intente de nuevo.',
    password_refused:
      'Esta contraseña sería de las primeras que alguien adivina. Elija otra, por ejemplo cuatro o cinco palabras sin relación.',
    date_too_early: '{param}: {date} es anterior a {earliest} ({after}).',
    parts_too_many: 'El contenido tiene demasiadas partes. Envíe menos.',
    date_not_real: '{param}: esa fecha no existe; revise el mes y el día.',
    date_in_future: '{param}: está en el futuro, y eso no puede ser; revise el año.',
    choice_invalid: '{param}: debe ser {choices}.',
    number_not_whole: '{param}: escriba un número entero.',
    time_zone_unknown: 'Esa zona horaria no existe. Escriba una como America/New_York.',
    whole_account_needed:
      'Usted tiene acceso solo a {limit}, y esto es para cuentas enteras. Pídaselo a un administrador.',
    concurrency_limited:
      'Puede tener {most} solicitudes a la vez. Espere un momento e intente de nuevo.',
    connections_too_many: 'Ya tiene {has} conexiones abiertas, que es el máximo. Cierre algunas.',
    images_waiting:
      'Ya hay {most} imágenes de esta cuenta en espera. Intente de nuevo en un momento.',
    audit_limited: 'Son demasiadas solicitudes a la vez. Espere un momento e intente de nuevo.',
    outcome_unknown:
      'El servicio no sabe ahora si lo guardó. Envíelo otra vez: se hace una sola vez.',
    password_too_short:
      'Una contraseña debe tener al menos {least} caracteres, y esta tiene {has}. Cuatro o cinco palabras sin relación hacen una buena.',
    password_too_long: 'Una contraseña puede tener como máximo {most} caracteres.',
    sign_in_busy:
      'Demasiadas personas están entrando en este momento. Intente de nuevo en unos segundos.',
    own_rights:
      'Usted no puede cambiar lo que usted mismo puede hacer. Pídaselo a otro administrador.',
    email_invalid: 'El correo electrónico debe ser una dirección como director@example.com.',
    administrator_limited:
      'Un administrador trabaja para cuentas enteras: deje las sucursales sin elegir, o elija la función de editor.',
    administrator_without_passkey:
      'Esta persona entra solo con contraseña, y los administradores necesitan una llave de acceso: pídale que cree una en «Mi cuenta», o invítela de nuevo como administrador.',
    accounts_not_yours: 'Elija entre las cuentas que usted administra.',
    accounts_mixed: 'Una clave es solo para cuentas reales o solo para cuentas de prueba.',
    locations_elsewhere: 'Elija sucursales de estas cuentas, o todas.',
    rate_invalid:
      '{param}: escriba un número de solicitudes por segundo o por minuto, de 1 por minuto a 1000000 por segundo.',
    network_invalid:
      '{param}: una de ellas no es una dirección ni una red. Escriba, por ejemplo, 203.0.113.7 o 203.0.113.0/24.',
    time_past: '{param}: elija un día que aún no haya pasado.',
    files_waiting:
      'Ya hay {most} archivos de su cuenta en espera. Intente de nuevo cuando termine uno.',
    exports_running:
      'Ya hay {most} exportaciones en curso, que es el máximo. Espere a que termine una.',
    export_too_long:
      'La exportación no terminó en {minutes} minutos. Exporte menos registros, o pida al operador «ledgerstone export».',
    file_empty: '{file} está vacío.',
    header_missing: '{file} no tiene encabezado: una fila debe nombrar las columnas.',
    sheets_missing: '{file} no tiene ninguna hoja.',
    sheet_unknown: '{file} no tiene la hoja {sheet}. Tiene {sheets}.',
    workbook_unreadable: '{file} no se puede leer como libro de Excel.',
    column_missing:
      '{file} no tiene columna para {fields}, que cada fila necesita: elija una columna, o un valor para todas las filas.',
    parent_column_missing:
      '{file} no tiene columna que diga a qué pertenece cada fila: elija una, o elija en «Todas las filas pertenecen a».',
    column_given_twice:
      '{file} tiene una columna para {field}, que también se eligió para todas las filas: omita una de las dos.',
    columns_rival: 'Las columnas {first} y {second} son ambas para {field}: omita una de ellas.',
    columns_filled_too_many:
      'El valor de {field} para todas las filas nombra {has} columnas, y puede nombrar como máximo {most}.',
    date_order_unclear:
      '{file} tiene fechas como 03/04/2026 (fila {row}), y nada muestra si primero va el mes o el día: elíjalo en «Fechas como 03/04/2026».',
    date_orders_mixed:
      '{file} escribe primero el mes en la fila {month_first} y primero el día en la fila {day_first}: elija cuál vale en «Fechas como 03/04/2026».',
    times_without_zone:
      '{file} tiene horas sin zona (fila {row}): elíjala en «Zona horaria de las horas».',
    import_too_old:
      'Los cambios de entonces ya no se conservan: esta importación ya no se puede deshacer.',
    cells_wrong: 'La fila tiene {has} celdas, y el encabezado tiene {header}.',
    row_unplaced: 'Nada en la fila dice a qué registro pertenece ({param}).',
    place_unknown: '{param}: no existe ninguna sucursal con este nombre o identificador.',
    place_ambiguous:
      '{param}: varias sucursales se llaman así; elija una o escriba su identificador.',
    identifier_unknown: '{param}: no existe ningún registro con este identificador.',
    cell_empty: '{param}: está vacío, y cada fila lo necesita.',
    phone_unreadable:
      '{param}: no es un número de teléfono; escríbalo con su código de área, como (217) 555-0123, o con + y el código del país.',
    date_unreadable: '{param}: no es una fecha; escríbala como 3/20/2027.',
    moment_unreadable: '{param}: no es una fecha con hora; escríbala como 3/20/2027 2:30 PM.',
    moment_zone_unknown:
      '{param}: no se conoce su zona horaria; escriba la fecha y la hora como 3/20/2027 2:30 PM.',
    formula_error: '{param}: es el error {error} de una fórmula.',
    digits_lost:
      '{param}: un programa de hojas de cálculo lo acortó; dé a la columna el formato de texto y escríbalo otra vez.',
    yes_or_no: '{param}: escriba yes o no, true o false, 1 o 0.',
    date_as_number:
      '{param}: es una fecha guardada como número; dé a la columna el formato de fecha.',
    time_unexpected: '{param}: lleva hora, y el campo es una fecha sin hora.',
    time_missing: '{param}: le falta la hora.',
    time_unreadable: '{param}: la hora no se entiende; escríbala como 14:30 o 2:30 PM.',
    zone_missing:
      '{param}: no se conoce su zona horaria; elija una en «Zona horaria de las horas».',
    time_ambiguous:
      '{param}: en {zone} esa hora existe dos veces o ninguna, por el cambio de hora; escríbala con su diferencia, como {example}.',
    year_missing: '{param}: escriba el año con cuatro cifras.',
    year_short: '{param}: escriba el año con cuatro cifras.',
    date_order_missing:
      '{param}: no se sabe si primero va el mes o el día; elíjalo en «Fechas como 03/04/2026».',
  },
  terms: {
    characters: 'caracteres',
    bytes: 'bytes',
    second: 'segundo',
    minute: 'minuto',
    locations: 'ciertas sucursales',
    resources: 'ciertos tipos de registro',
  },
  or: ' o ',
  targets: {
    identifier: 'identificador',
    inCents: '(en centavos)',
    ownIdentifier: 'identificador de Ledgerstone',
  },
  labels: words.labels,
});
