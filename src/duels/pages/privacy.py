"""What a class leaves behind, in words for teachers and parents."""

from __future__ import annotations

PRIVACY = """
<h1>A class: what is stored, and for how long</h1>
<p class="lead">For parents, pupils and teachers. It holds for every class on this site.</p>
<h2>What is stored</h2>
<ul>
<li>The name that a pupil types in. A first name is enough; a made-up one is offered, and does as
well.</li>
<li>The games of the class: who played whom, the moves, how long they took, who won.</li>
<li>A random secret for each device, of which the server keeps only a fingerprint (a hash). By it a
pupil whose page was closed gets back to the same board.</li>
<li>Against misuse, a fingerprint of the network addresses that ask, forgotten within a day.</li>
</ul>
<h2>What is not stored</h2>
<ul>
<li>No accounts, no mail addresses, no passwords, no photos, no voices, no chat.</li>
<li>No cookies, no advertising, nothing from other companies: the pages load from this server
only.</li>
</ul>
<h2>For how long</h2>
<ul>
<li>Until the teacher taps “End the lesson”. Then the class, its names and its games are removed at
once.</li>
<li>If nobody does, the server removes them a day after anybody last did anything in the class:
came in, made a move, or changed something.</li>
<li>Results are only kept where the teacher saves them as a file.</li>
</ul>
<h2>Who sees what</h2>
<ul>
<li>The teacher sees all names, boards and results, and may show the boards on the wall.</li>
<li>Pupils see the names of who is in the class, and their own boards. Like every game here, a
board can be watched by whoever has its address, which nobody can guess.</li>
<li>Whoever does not have the code does not get in. The code opens nothing once the lesson is
over.</li>
</ul>
<h2>On the device</h2>
<p>The browser keeps the class's code and the device's secret in its own storage for this site, and
forgets them as soon as a page of the class finds that the lesson is over. A pupil's device keeps no
names and no games of the class.</p>
""".strip()
