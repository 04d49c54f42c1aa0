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

type Category = { icon: LucideIcon; hue: number | 'none'; name: () => string }

const CATEGORIES: Record<ProgramCategory, Category> = {
  Development: { icon: CodeXml, hue: 4, name: () => t('program.categoryDevelopment') },
  Security: { icon: Shield, hue: 11, name: () => t('program.categorySecurity') },
  'System Tools': { icon: SquareTerminal, hue: 8, name: () => t('program.categorySystemTools') },
  Storage: { icon: HardDrive, hue: 2, name: () => t('program.categoryStorage') },
  Communication: { icon: MessagesSquare, hue: 10, name: () => t('program.categoryCommunication') },
  Networking: { icon: Network, hue: 6, name: () => t('program.categoryNetworking') },
  Media: { icon: Clapperboard, hue: 1, name: () => t('program.categoryMedia') },
  Productivity: { icon: NotebookPen, hue: 3, name: () => t('program.categoryProductivity') },
  Other: { icon: Shapes, hue: 9, name: () => t('program.categoryOther') },
}

const isKnown = (name: string): name is ProgramCategory => PROGRAM_CATEGORIES.some((known) => known === name)

/** Returns the look of a category, and its name in the language of the page. An unknown one keeps its name. */
export const describeCategory = (category: string): Category =>
  isKnown(category) ? CATEGORIES[category] : { icon: Package, hue: 'none', name: () => category }

export function listCategories(programs: { category: string }[]): string[] {
  return [...new Set([...PROGRAM_CATEGORIES, ...programs.map(({ category }) => category).sort()])]
}

/** Returns the categories that have programs, in the order of the filter. */
export const groupByCategory = <P extends { category: string }>(programs: P[]) =>
  listCategories(programs).flatMap((category) => {
    const group = programs.filter((program) => program.category === category)
    return group.length > 0 ? [{ category, programs: group }] : []
  })
