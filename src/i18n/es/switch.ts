export default {
  holdPosts: 'Un moderador revisa los mensajes nuevos antes de que aparezcan.',
  membersThreads: 'Por ahora, solo los miembros pueden crear hilos. Todo el mundo puede comentar.',
  membersThreadsRefusal: 'Por ahora, solo los miembros pueden crear hilos.',
  pastesOff: 'Por ahora no se pueden crear pastes.',
  proofOfWork:
    'Hay mucha actividad en los tablones. Tu navegador resuelve un acertijo antes de cada mensaje, y algunos mensajes esperan una revisión.',
  readOnly: 'Por ahora, el sitio es de solo lectura.',
  readOnlyRefusal: 'Por ahora, el sitio es de solo lectura. Inténtalo más tarde.',
  textOnly: 'Por ahora, los mensajes son solo de texto.',
  textOnlyRefusal: 'Por ahora, los mensajes son solo de texto. Publica sin imagen.',
  uploadsOff: 'Por ahora no se pueden subir imágenes.',
}
