export default 'Choose a track from the library of the station, and hear it between two others.'
