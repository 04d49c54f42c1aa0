import type { ComponentProps, SyntheticEvent } from 'react'
import { postFormPath } from '#src/contract/post.ts'
import { Apart } from '#src/ui/Apart.tsx'
import type { PostLocation } from './postLocation.ts'
import { preload, type WritePost } from './usePostDialog.tsx'

type PostFormLinkProps = { to: PostLocation; quote?: number; write: WritePost } & Omit<ComponentProps<'a'>, 'ref'>

/** Unlike `useHydrated`, this needs no second render of each post of a thread. */
const becomeButton = (link: HTMLAnchorElement | null) => link?.setAttribute('role', 'button')

/** Links to the page with a post's form. With script, it is a button that opens the form in a dialog. */
export function PostFormLink({ to, quote, write, ...rest }: PostFormLinkProps) {
  function open(event: SyntheticEvent) {
    event.preventDefault()
    // The router handles clicks on links of the whole document.
    event.stopPropagation()
    write(to, quote)
  }

  return (
    <Apart>
      <a
        href={postFormPath(to, quote)}
        {...rest}
        ref={becomeButton}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={(event) => event.ctrlKey || event.metaKey || event.shiftKey || open(event)}
        onKeyDown={(event) => event.key === ' ' && open(event)}
      />
    </Apart>
  )
}
