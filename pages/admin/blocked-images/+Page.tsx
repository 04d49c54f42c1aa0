import { BlockedImagesScreen } from '#src/features/moderation/BlockedImagesScreen.tsx'

export default function Page() {
  return <BlockedImagesScreen />
}
