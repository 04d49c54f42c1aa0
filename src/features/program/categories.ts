import {
  Clapperboard,
  CodeXml,
  HardDrive,
  type LucideIcon,
  MessagesSquare,
  Network,
  NotebookPen,
  Package,
  Shapes,
  Shield,
  SquareTerminal,
} from 'lucide-react'
import { PROGRAM_CATEGORIES, type ProgramCategory } from '#src/contract/program.ts'
import { t } from '#src/i18n/t.ts'

export type CategoryStyle = { icon: LucideIcon; hue: number | 'none' }

const categoryStyles: Record<ProgramCategory, CategoryStyle> = {
  Development: { icon: CodeXml, hue: 4 },
  Security: { icon: Shield, hue: 11 },
  'System Tools': { icon: SquareTerminal, hue: 8 },
  Storage: { icon: HardDrive, hue: 2 },
  Communication: { icon: MessagesSquare, hue: 10 },
  Networking: { icon: Network, hue: 6 },
  Media: { icon: Clapperboard, hue: 1 },
  Productivity: { icon: NotebookPen, hue: 3 },
  Other: { icon: Shapes, hue: 9 },
}
const categoryNames = {
  Development: () => t('program.categoryDevelopment'),
  Security: () => t('program.categorySecurity'),
  'System Tools': () => t('program.categorySystemTools'),
  Storage: () => t('program.categoryStorage'),
  Communication: () => t('program.categoryCommunication'),
  Networking: () => t('program.categoryNetworking'),
  Media: () => t('program.categoryMedia'),
  Productivity: () => t('program.categoryProductivity'),
  Other: () => t('program.categoryOther'),
} satisfies Record<ProgramCategory, () => string>
const unknownCategoryStyle: CategoryStyle = { icon: Package, hue: 'none' }

const isKnown = (name: string): name is ProgramCategory => PROGRAM_CATEGORIES.some((known) => known === name)

export const categoryStyle = (category: string): CategoryStyle =>
  isKnown(category) ? categoryStyles[category] : unknownCategoryStyle

/** Returns the name in the language of the page, or an unknown category as it is. */
export const categoryName = (category: string): string => (isKnown(category) ? categoryNames[category]() : category)

export function listCategories(programs: { category: string }[]): string[] {
  return [...new Set([...PROGRAM_CATEGORIES, ...programs.map(({ category }) => category).sort()])]
}

/** Returns the categories that have programs, in the order of the filter. */
export const groupByCategory = <P extends { category: string }>(programs: P[]) =>
  listCategories(programs).flatMap((category) => {
    const group = programs.filter((program) => program.category === category)
    return group.length > 0 ? [{ category, programs: group }] : []
  })
