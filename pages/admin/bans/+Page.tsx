import { BansScreen } from '#src/features/moderation/BansScreen.tsx'

export default function Page() {
  return <BansScreen />
}
