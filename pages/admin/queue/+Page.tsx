import { QueueScreen } from '#src/features/moderation/QueueScreen.tsx'

export default function Page() {
  return <QueueScreen />
}
