import type { Catalogue } from '#src/i18n/types.ts'

export default {
  full: 'La radio está llena en este momento',
  fullNetwork: 'Ya hay demasiadas personas escuchando en tu red',
  listenerForbidden: 'Solo los streamers y los administradores ven cuántas personas escuchan',
  listenerHours: 'Las horas deben ser un número de 1 a {max}',
  refusedSource:
    'El sitio rechaza {program} de tu red: la contraseña de emisión es incorrecta ({attempts, plural, one {# intento} other {# intentos}}). Corrige la contraseña en el programa.',
  requestFull: 'Hay demasiadas peticiones en espera. Inténtalo más tarde.',
  requestNoMatch: 'Ninguna pista coincide',
  requestNotOnAir: 'Solo pueden hacerlo los administradores y el streamer en directo',
  requestOff: 'Esta emisora no acepta peticiones',
  requestOutcome: 'Una petición sonó o se saltó',
  requestQuery: 'Una búsqueda tiene {max} caracteres como máximo',
  requestRecent: 'Esta pista se pidió hace poco.',
  requestRequestNotFound: 'Esta petición no está en espera',
  requestStarting: 'Esta petición está a punto de sonar',
  requestTooMany: 'Demasiadas peticiones desde tu red.',
  requestTooManyFromUser: 'Has pedido demasiadas canciones.',
  requestTrack: 'Elige una pista',
  requestTrackNotFound: 'Pista no encontrada',
  requestWaiting: 'Esta pista ya está en espera',
  stationNotFound: 'Emisora no encontrada',
  unavailable: 'La radio no responde',
  unheard: 'No llega sonido de <nick>{name}</nick>. La emisora suena hasta que vuelva.',
  webhookToken: 'El token falta o no es correcto',
} satisfies Catalogue['radio']
