import { VisualiserScreen } from '#src/player/visualiser/VisualiserScreen.tsx'

export default function Page() {
  return <VisualiserScreen />
}
