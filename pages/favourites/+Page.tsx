import { FavouritesScreen } from '#src/features/show/FavouritesScreen.tsx'

export default function Page() {
  return <FavouritesScreen />
}
