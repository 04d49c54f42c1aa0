import { type ComponentProps, type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import './post.css'

type ServerHtmlProps = Omit<ComponentProps<'div'>, 'dangerouslySetInnerHTML' | 'ref'> & {
  ref?: Ref<HTMLDivElement>
  /** undefined in the first page of a visit: the document has the HTML, and React leaves it as it is */
  html: string | undefined
  /** reads the HTML again; undefined if there is none */
  onLost?: (() => Promise<unknown>) | undefined
}

/** Shows HTML of the server. React writes it once; `changePosts.ts` and `changeCards.ts` change it. */
export function ServerHtml({ html = '', onLost, ref, ...rest }: ServerHtmlProps) {
  // The same object in every render, or React would write the HTML again.
  const [inner] = useState({ __html: html })
  const element = useRef<HTMLDivElement>(null)
  useImperativeHandle(ref, () => element.current as HTMLDivElement, [])
  // If an extension has changed the page's HTML, React renders the page again, and the element is empty.
  const readLost = useEffectEvent(() => {
    if (html === '' && element.current?.childElementCount === 0) onLost?.().catch(() => {})
  })
  useEffect(() => readLost(), [])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: server/features/board/html escapes all texts
  return <div {...rest} ref={element} dangerouslySetInnerHTML={inner} suppressHydrationWarning />
}
