import { HeldPosts } from '#src/features/moderation/HeldPosts.tsx'

export default function Page() {
  return <HeldPosts />
}
