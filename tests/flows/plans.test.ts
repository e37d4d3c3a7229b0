import { beforeEach, describe, expect, it } from 'vitest'
import { initialPlans, type PlanLimit, planLimits } from '../../contract/organizations/plan'
import { organizations } from '../../db/schema/organizations'
import { type Actor, system } from '../../server/actor'
import { createTestApp } from '../support/app'
import { createTestCli, type TestCli } from '../support/cli'
import { createPerson } from '../support/people/people'

const { free, unlimited } = initialPlans
const noLimits = Object.fromEntries(planLimits.map((limit) => [limit, 0])) as Record<PlanLimit, number>
let cli: TestCli

beforeEach(async () => {
  cli = await createTestCli()
})

describe('sitelore plans', () => {
  // contract 3a.7: The plan has searches and api_requests
  it('lists the initial plans', async () => {
    expect((await cli.run(['plans', '--json'])).json()).toEqual({ plans: [free, unlimited] })
    expect(free).toMatchObject({ searches: expect.any(Number), api_requests: expect.any(Number) })
    const { out } = await cli.run(['plans', 'list'])
    expect(out).toMatch(
      /^free {7}Free Plan {2}collections 5, sources 10, urls 2000, .*storage 512 MB.*\nunlimited {2}No/,
    )
  })

  it('changes a plan, and keeps the change when the product starts again', async () => {
    const changed = await cli.run(['plans', 'set', 'free', '--urls', '500', '--agents', '', '--storage', '1', '--json'])
    const plan = { ...free, urls: 500, agents: 0, storage: 1024 * 1024 }
    expect(changed.json()).toEqual({ plan })
    expect((await cli.run(['plans', '--json'])).json()).toEqual({ plans: [plan, unlimited] })
  })

  it('creates a plan whose other limits are unlimited, and assigns it', async () => {
    const created = await cli.run(['plans', 'set', 'team', '--display-name', 'Team', '--collections', '1', '--json'])
    const plan = { ...noLimits, name: 'team', display_name: 'Team', collections: 1 }
    expect(created.json()).toEqual({ plan })
    const { out } = await cli.run(['plans', 'assign', 'team'])
    expect(out).toBe('The organization now has the plan Team.\n')

    const { app, close } = await createTestApp({ DATA_DIR: cli.dataDir })
    const { db, services } = app
    const [row] = await db.read.select({ id: organizations.id }).from(organizations)
    const id = String(row?.id)
    expect((await services.organizations.get(system, id)).plan).toEqual(plan)
    const create = (actor: Actor = system) => services.collections.create(actor, id, { name: 'One', description: '' })
    await create()
    const message = 'Your plan allows 1 collection; delete one or'
    const command = `assign a larger plan with: sitelore plans assign <plan> --organization ${id}.`
    const staff = await createPerson(app, { [id]: 'admin' }, { staff: true })
    await expect(create(staff)).rejects.toMatchObject({ code: 'quota_exceeded', message: `${message} ${command}` })
    const admin = await createPerson(app, { [id]: 'admin' })
    await expect(create(admin)).rejects.toMatchObject({ message: `${message} ask the operator for a larger plan.` })
    await close()
  })

  it.each([
    [2, ['set', 'Big Plan'], '<plan>: must be'],
    [2, ['set', 'team', '--urls', 'many'], '--urls: must be a whole number'],
    [2, ['set', 'team', '--urls', '-1'], '--urls: must be a whole number'],
    [2, ['set', 'team', '--storage', '1.5'], '--storage: must be a whole number'],
    [2, ['set', 'team', '--display-name', ' '], '--display-name: must not be empty'],
    [1, ['set', 'unlimited', '--urls', '5'], 'The plan unlimited has no limits and cannot be changed.'],
    [1, ['assign', 'gold'], "There is no plan 'gold'. To see the plans: sitelore plans list"],
    [2, ['assign', 'free', '--organization', 'Nobody'], "There is no organization 'Nobody'."],
  ])('exits with %i for %j', async (exit, argv, says) => {
    const { code, err } = await cli.run(['plans', ...argv])
    expect([code, err]).toEqual([exit, expect.stringContaining(says)])
    expect((await cli.run(['plans', '--json'])).json()).toEqual({ plans: [free, unlimited] })
  })
})

it('DEFAULT_PLAN names the plan of organizations that people create', async () => {
  await cli.run(['plans', 'set', 'trial', '--sources', '1'])
  const { app, close } = await createTestApp({ DATA_DIR: cli.dataDir, DEFAULT_PLAN: 'trial' })
  const create = async (staff: boolean) =>
    (await app.services.organizations.create(await createPerson(app, {}, { staff }), { name: 'A', entity_name: '' }))
      .plan
  expect(await create(false)).toEqual({ ...noLimits, name: 'trial', display_name: 'trial', sources: 1 })
  expect(await create(true)).toEqual(unlimited)
  expect([await app.services.plans.has('trial'), await app.services.plans.has('gold')]).toEqual([true, false])
  await close()
})

it('lets only the product itself read and change plans', async () => {
  const { app, close } = await createTestApp({ DATA_DIR: cli.dataDir })
  const staff = await createPerson(app, {}, { staff: true })
  const { plans } = app.services
  const calls = [plans.list(staff), plans.set(staff, 'free', {}), plans.assign(staff, 'o', 'free')]
  for (const result of await Promise.allSettled(calls))
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'forbidden' } })
  await close()
})
