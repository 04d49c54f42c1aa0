import type { Head, HeadContext } from '#pages/head.ts'
import { findSection } from '#src/features/admin/sections.ts'
import { t } from '#src/i18n/t.ts'

const sectionOf = ({ pageContext }: HeadContext<unknown>) => findSection(pageContext.urlPathname)

/** The head of all pages of the admin area. */
export default {
  title: (context) => t('admin.pageTitle', { section: sectionOf(context)?.label ?? '' }),
  description: (context) => sectionOf(context)?.lead ?? '',
  noindex: true,
} satisfies Head
