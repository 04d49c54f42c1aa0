export type { ProgramView } from './programAnswers.ts'

export const programLimits = { name: 100, link: 2000, description: 1000, addedBy: 64, category: 40 } as const

/** Categories offered in the dialog. The API accepts others and gives them a default icon and colour. */
export const PROGRAM_CATEGORIES = [
  'Development',
  'Security',
  'System Tools',
  'Storage',
  'Communication',
  'Networking',
  'Media',
  'Productivity',
  'Other',
] as const
export type ProgramCategory = (typeof PROGRAM_CATEGORIES)[number]
