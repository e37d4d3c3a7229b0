/** A page of the organization or of the manual that one may go to. */
export interface Place {
  kind: 'Collection' | 'Agent' | 'Help'
  name: string
  to: string
}

/** What a search for places answers. */
export interface FoundPlaces {
  places: Place[]
}
