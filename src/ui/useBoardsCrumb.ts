import { useSite } from './site.tsx'

/** Returns the first crumb of all pages of the imageboard. */
export const useBoardsCrumb = () => ({ label: useSite().boardsName, href: '/dtpchan' })
