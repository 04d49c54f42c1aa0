import type { Catalogue } from '#src/i18n/types.ts'

export default {
  description:
    'Una comunidad de tecnología y hacking que vive en IRC. Habla en los canales, publica en los tablones sin cuenta y escucha la radio mientras trabajas.',
  mission1: 'Desmontar cosas para entenderlas y compartir lo que encontramos: el código, el esquema, el volcado.',
  mission2: 'Responder a la pregunta que se hizo y después a la que hay detrás. Todos empezamos alguna vez.',
  mission3: 'Mantener el lugar abierto. No necesitas cuenta ni nombre real para leer, escuchar o publicar.',
  radio: 'La música de este sitio',
  story1:
    'Somos primero una red de IRC y después un sitio web. La gente llega con un fallo que no se explica o una placa que no arranca, y se queda por la compañía, por la radio y por quien le cuenta por qué se rompió.',
  story2:
    'Todo lo demás creció alrededor de esos canales: una emisión para escuchar juntos, tablones para lo que necesita más que una línea de chat y pequeñas herramientas para lo que compartimos cada día.',
  tagline: 'Desmontamos cosas y dejamos la radio encendida.',
} satisfies Catalogue['defaults']
