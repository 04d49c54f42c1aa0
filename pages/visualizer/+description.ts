export default 'The radio made visible: 245 presets, drawn live in your browser.'
