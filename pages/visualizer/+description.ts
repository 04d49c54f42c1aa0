export default 'The radio as pictures: 245 presets drawn in your browser from the sound that is on air.'
