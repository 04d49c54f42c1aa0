import type { Catalogue } from '#src/i18n/types.ts'

export default {
  addFactor:
    'Los administradores de este sitio necesitan un segundo factor. <link>Añade uno</link> para usar tus permisos.',
  adminLogin: 'Acceso de administración de {boards}',
  adminOnly: 'Solo para administradores',
  codeHint: 'Escribe el código de tu aplicación de autenticación o un código de recuperación.',
  codeLabel: 'Código de acceso',
  codeWrong: 'El código es incorrecto o ya se ha usado',
  description: 'Para administradores y moderadores de los tablones de {boards}.',
  email: 'Correo electrónico',
  failed: 'No se pudo iniciar sesión',
  generatedPassword:
    'Tu contraseña se generó automáticamente y otros pueden haberla visto. <link>Cambia tu contraseña</link>',
  invalid: 'Credenciales no válidas',
  moderation: 'Moderación',
  needsScript: 'Para iniciar sesión, activa JavaScript en este sitio.',
  noAccount: '¿Aún no tienes cuenta? Pide tus credenciales a un administrador.',
  passkeyFailed: 'No se pudo usar la llave de acceso',
  password: 'Contraseña',
  sessionEnded: 'Tu sesión ha terminado',
  sessionEndedLead: 'Tu sesión ha terminado. Lo que has escrito sigue ahí.',
  usePasskey: 'Usar una llave de acceso',
} satisfies Catalogue['auth']
