export const visualiserMessages = {
  failed: 'Failed to initialize visualizer',
  noWebgl: 'WebGL2 not supported',
  presetFailed: 'This preset couldn’t load',
  motion: 'The visualiser moves and flashes, and your device asks for less motion.',
  flashes: 'Warning: some presets flash rapidly.',
  fullScreenFailed: 'Couldn’t go full screen',
} as const
