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

export const programMessages = {
  addLogin: 'You must be logged in to add programs',
  editLogin: 'You must be logged in to edit programs',
  deleteLogin: 'You must be logged in to delete programs',
  required: 'All fields are required',
  link: 'Website link must be an http or https URL',
  updatedAt: 'updatedAt must be the value that the program was read with',
  changed: 'Someone else changed this program in the meantime',
  notFound: 'Program not found',
} as const
