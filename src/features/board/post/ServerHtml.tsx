import { type ComponentProps, useState } from 'react'
import './post.css'

type ServerHtmlProps = Omit<ComponentProps<'div'>, 'dangerouslySetInnerHTML'> & {
  /** undefined in the first page of a visit: the document has the HTML, and React leaves it as it is */
  html: string | undefined
}

/** Shows HTML of the server. React writes it once; `changePosts.ts` and `changeCards.ts` change it. */
export function ServerHtml({ html = '', ...rest }: ServerHtmlProps) {
  // The same object in every render, or React would write the HTML again.
  const [inner] = useState({ __html: html })
  // biome-ignore lint/security/noDangerouslySetInnerHtml: server/features/board/html escapes all texts
  return <div {...rest} dangerouslySetInnerHTML={inner} suppressHydrationWarning />
}
