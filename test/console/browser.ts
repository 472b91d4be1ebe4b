import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Debian's; the package of playwright downloads none. */
const executablePath = process.env['REDIAL_TEST_CHROMIUM'] ?? '/usr/bin/chromium';

/** Without them a browser looks for updates, and with a sandbox it does not run as root. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Waits are long: a busy machine takes its time, and what is tested is that it comes. */
const PATIENCE_MS = 30_000;

/** A browser, and what its pages complained about. */
export class TestBrowser {
  /** Errors of scripts and of the policy, and requests to another host than the page's. */
  readonly complaints: string[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<TestBrowser> {
    return new TestBrowser(await chromium.launch({ executablePath, args: FLAGS }));
  }

  /** A page of its own, as of another person. */
  async open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const { host } = new URL(url);
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // An answer that is no success is the business of the story.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.complaints.push(message.text());
    });
    page.on('request', (request) => {
      const to = new URL(request.url());
      if (to.protocol.startsWith('http') && to.host !== host) this.complaints.push(`asks ${to.host}`);
    });
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  stop(): Promise<void> {
    return this.browser.close();
  }
}
