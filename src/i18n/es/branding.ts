import type { Catalogue } from '#src/i18n/types.ts'

export default {
  accent: 'Acento',
  allBoards: 'Todos los tablones',
  background: 'Fondo de la vista previa',
  bannerAlt: 'Banner de /{board}/',
  banners: 'Banners',
  boardMissing: 'No hay ningún tablón con este identificador.',
  colours: 'Colores',
  contrast: 'Contraste',
  darkLogo: 'Logotipo, tema oscuro',
  defaults:
    '{count, plural, one {# campo tiene su valor predeterminado} other {# campos tienen su valor predeterminado}}',
  folder: 'Carpeta',
  icon: 'Icono',
  images: 'Imágenes',
  languages: 'Idiomas',
  load: 'No se pudieron cargar los ajustes del sitio',
  logo: 'Logotipo',
  logoAlone: 'Un logotipo ancho aparece en la barra superior sin el nombre.',
  mark: 'el símbolo',
  noBanners: 'No hay banners.',
  noContent: 'No hay páginas ni entradas.',
  none: 'ninguno',
  onColour: '{ratio}:1 sobre {colour}',
  pages: 'Páginas y entradas',
  problems: 'Archivos que no se usan',
  ratio: '{ratio}:1',
  scheduled: 'programada',
  siteFile: 'Archivo del sitio',
  valuesSet:
    '{count, plural, =0 {Todos los campos tienen su valor predeterminado.} one {# campo está definido.} other {# campos están definidos.}}',
} satisfies Catalogue['branding']
