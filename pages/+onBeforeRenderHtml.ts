import { loadRichText, setRichText } from '#src/features/board/post/lazyRichText.ts'

/** Lets the server render posts with code and spoilers, for which browsers load code later. */
export default async () => setRichText(await loadRichText())
