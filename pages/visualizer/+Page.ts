export { VisualiserScreen as default } from '#src/player/visualiser/VisualiserScreen.tsx'
