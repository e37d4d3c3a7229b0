import type { SourceRef } from '../../../server/services/sources/find-source'

/** The source that the path of a /v1 route names. */
export function sourceRef(param: (name: string) => string): SourceRef {
  return { organizationId: param('orgId'), collectionId: param('collectionId'), sourceId: param('sourceId') }
}
