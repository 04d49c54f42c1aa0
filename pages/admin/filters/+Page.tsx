import { FiltersScreen } from '#src/features/moderation/FiltersScreen.tsx'

export default function Page() {
  return <FiltersScreen />
}
