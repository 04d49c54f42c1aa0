import type { Catalogue } from '#src/i18n/types.ts'

export default {
  bits: '{bits} bits',
  classesText:
    'Al menos una minúscula, una mayúscula, una cifra y un carácter especial. Si falta alguno, la contraseña se descarta y se sortea otra.',
  classesTitle: 'Cuatro tipos de caracteres',
  copied: '¡Contraseña copiada al portapapeles!',
  description: 'Contraseñas aleatorias y fuertes de 8, 12 o 16 caracteres. Las crea tu navegador; no se envía nada.',
  entropy: 'Entropía',
  evenText: 'Los {count} caracteres son igual de probables en cada posición.',
  evenTitle: 'Sin favoritos',
  generate: 'Generar otra contraseña',
  generated: 'Contraseña generada',
  generator: 'Generador',
  lead: 'Contraseñas aleatorias y fuertes, creadas en tu navegador. Nadie más las ve.',
  length: 'Longitud de la contraseña',
  localText: 'No se envía ni se guarda nada. Una vez cargada, la página funciona sin conexión: pruébalo.',
  localTitle: 'Nunca sale de tu navegador',
  medium: 'Media',
  needsScript:
    'Esta página necesita JavaScript: tu navegador crea la contraseña, así que nuestro servidor nunca la ve.',
  randomText: 'Se crea con crypto.getRandomValues, que tu navegador usa también para claves de cifrado.',
  randomTitle: 'Azar criptográfico',
  securityFeatures: 'Seguridad',
  strength: 'Fortaleza',
  strong: 'Fuerte',
  title: 'Generador de contraseñas',
  weak: 'Débil',
} satisfies Catalogue['password']
