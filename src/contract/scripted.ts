/** The server renders parts for browsers with script in this element, and puts the element into a block of data. */
export const SCRIPTED_TAG = 'scripted-part'
