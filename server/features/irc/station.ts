/** The bot announces the station that the player plays first. */
export const STATION_ID = 1
