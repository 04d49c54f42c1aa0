import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { t } from '#src/i18n/t.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'

/** Adds buttons that copy the code of posts. @param version changes with the posts on the page */
export function CodeButtons({ version }: { version: number }) {
  const [captions, setCaptions] = useState<Element[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the posts again when they have changed
  useEffect(() => setCaptions([...document.querySelectorAll('main .code > figcaption')]), [version])
  return captions.map((caption) =>
    createPortal(
      <CopyButton text={caption.nextElementSibling?.textContent ?? ''} label={t('board.copyCode')} />,
      caption,
    ),
  )
}
