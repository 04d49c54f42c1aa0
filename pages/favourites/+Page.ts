export { FavouritesScreen as default } from '#src/features/show/FavouritesScreen.tsx'
